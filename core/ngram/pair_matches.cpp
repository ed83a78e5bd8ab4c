#include "ngram/pair_matches.h"

#include <algorithm>
#include <bit>

namespace understudy {

namespace {

// To count a pair in a list takes as long as so many pairs of bits, 64 of which are compared at a time.
constexpr std::size_t kBitsPerListed = 128;

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
constexpr std::uint32_t kListed = std::uint32_t{1} << 31;  // of the numbers that are not those of bits

// matches[i] += the bits that `row` and the i-th of `rows` have in common.
using CountBits = void (*)(const std::uint64_t* row, const std::uint64_t* rows, std::size_t words,
                           std::size_t count, std::uint32_t* matches);

inline void count_bits(const std::uint64_t* row, const std::uint64_t* rows, std::size_t words,
                       std::size_t count, std::uint32_t* matches) {
  for (std::size_t i = 0; i < count; ++i, rows += words) {
    int common = 0;
    for (std::size_t w = 0; w < words; ++w) common += std::popcount(row[w] & rows[w]);
    matches[i] += static_cast<std::uint32_t>(common);
  }
}

void count_anywhere(const std::uint64_t* row, const std::uint64_t* rows, std::size_t words, std::size_t count,
                    std::uint32_t* matches) {
  count_bits(row, rows, words, count, matches);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("popcnt"), flatten)) void count_with_popcnt(const std::uint64_t* row,
                                                                  const std::uint64_t* rows,
                                                                  std::size_t words, std::size_t count,
                                                                  std::uint32_t* matches) {
  count_bits(row, rows, words, count, matches);
}

CountBits best_count() { return __builtin_cpu_supports("popcnt") ? count_with_popcnt : count_anywhere; }
#else
CountBits best_count() { return count_anywhere; }
#endif

const CountBits kCountBits = best_count();

}  // namespace

PairMatches::Order& PairMatches::next_order() {
  if (by_order_.size() == orders_) by_order_.emplace_back();
  return by_order_[orders_++];
}

void PairMatches::add_nothing() {
  Order& order = next_order();
  order.words = 0;
  order.listed.clear();
  order.listed_ends.assign(roles_.candidates, 0);
}

void PairMatches::add_order(const SharedNgrams& ngrams) {
  Order& order = next_order();
  const std::size_t listed = place(ngrams, order);
  order.bits.assign(roles_.texts() * order.words, 0);
  order.listed.clear();
  order.listed_ends.clear();
  for (std::size_t text = 0; text < roles_.texts(); ++text) {
    std::uint64_t* const row = order.bits.data() + text * order.words;
    const bool is_candidate = text < roles_.candidates;
    for (const std::uint32_t occurrence : ngrams.found(text)) {
      const std::uint32_t at = places_[occurrence];
      if (at == kNowhere) continue;
      if ((at & kListed) == 0) {
        row[at / 64] |= std::uint64_t{1} << (at % 64);
      } else if (is_candidate) {
        order.listed.push_back(at & ~kListed);
      }
    }
    if (is_candidate) order.listed_ends.push_back(order.listed.size());
  }
  if (listed == 0) return;
  // From where the references of each begin to where they end, which is where those of the next begin.
  for (std::size_t reference = 0; reference < roles_.references; ++reference) {
    for (const std::uint32_t occurrence : ngrams.found(roles_.text_of_reference(reference))) {
      const std::uint32_t at = places_[occurrence];
      if (at == kNowhere || (at & kListed) == 0) continue;
      order.listed_references[order.listed_reference_at[(at & ~kListed) + 1]++] =
          static_cast<std::uint32_t>(reference);
    }
  }
}

std::size_t PairMatches::place(const SharedNgrams& ngrams, Order& order) {
  const Refilled<Occurrence>& occurrences = ngrams.occurrences();
  const std::size_t pairs = roles_.candidates * roles_.references;
  places_.assign(occurrences.size(), kNowhere);
  order.listed_reference_at.assign(2, 0);
  std::uint32_t bits = 0;
  std::uint32_t listed = 0;
  std::size_t references = 0;
  for (std::size_t i = 1; i < occurrences.size(); ++i) {
    const Occurrence& occurrence = occurrences[i];
    if (!ngrams.is_shared(occurrence)) continue;
    const std::size_t sharing = std::size_t{occurrence.in_candidates} * occurrence.in_references;
    if (sharing * kBitsPerListed >= pairs) {
      places_[i] = bits++;
    } else {
      places_[i] = kListed | listed++;
      order.listed_reference_at.push_back(references += occurrence.in_references);
    }
  }
  // [0, 0, end of the first, ...] has the begin of each at its number plus one, and add_order moves it to the
  // end.
  order.listed_references.resize(references);
  order.words = (bits + 63) / 64;
  return listed;
}

void PairMatches::of_candidate(std::size_t candidate, std::uint32_t* matches) const {
  std::fill_n(matches, orders_ * roles_.references, 0U);
  for (std::size_t n = 0; n < orders_; ++n, matches += roles_.references) {
    const Order& order = by_order_[n];
    const std::size_t begin = candidate == 0 ? 0 : order.listed_ends[candidate - 1];
    for (std::size_t i = begin; i < order.listed_ends[candidate]; ++i) {
      const std::uint32_t rare = order.listed[i];
      for (std::size_t at = order.listed_reference_at[rare]; at < order.listed_reference_at[rare + 1]; ++at) {
        ++matches[order.listed_references[at]];
      }
    }
    if (order.words == 0) continue;
    const std::uint64_t* const rows = order.bits.data();
    const std::size_t first = roles_.text_of_reference(0);
    kCountBits(rows + candidate * order.words, rows + first * order.words, order.words, roles_.references,
               matches);
  }
}

}  // namespace understudy
