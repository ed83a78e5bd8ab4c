#include "ngram/nist.h"

#include <cmath>
#include <limits>

#include "ngram/clipped_matches.h"
#include "support/parallel.h"

namespace understudy {

namespace {

// What the matches of one order tell, as NLTK adds it up: a product for each n-gram, in the order of the
// hypothesis. The last digit decides between references; from Python 3.12 on, sums of floats carry the
// rounding errors along (Neumaier), and so they do here if `compensated`.
class ToldByOrder {
 public:
  void start_segment() { slots_.clear(); }
  void start_order() { products_.clear(); }

  void add(std::uint32_t number, double bits) {
    if (slots_.size() <= number) slots_.resize(number + 1, 0);
    if (slots_[number] == 0) {
      products_.push_back({bits, 0});
      slots_[number] = products_.size();
    }
    products_[slots_[number] - 1].count += 1;
  }

  double sum(bool compensated) const {
    double total = 0;
    double lost = 0;
    for (const Product& product : products_) {
      const double value = product.bits * product.count;
      const double after = total + value;
      lost += std::fabs(total) >= std::fabs(value) ? (total - after) + value : (value - after) + total;
      total = after;
    }
    return compensated ? total + lost : total;
  }

 private:
  struct Product {
    double bits;
    double count;
  };
  std::vector<std::size_t> slots_;  // by number of an n-gram, which no other order has: its product, from 1
  std::vector<Product> products_;
};

class Weigher {
 public:
  Weigher(const ReferenceNgrams& ngrams, const NgramOptions& options, bool zero_is_no_word)
      : ngrams_(ngrams),
        matcher_(options),
        max_order_(options.max_order),
        zero_is_no_word_(zero_is_no_word) {}

  // Whether the references know every n-gram that matches.
  bool count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row, const Told& told) {
    double* const told_here = told.values == nullptr ? nullptr : told.values + segment * max_order_;
    if (told_here != nullptr) std::fill_n(told_here, max_order_, 0.0);
    if (references.size() == 1 && !references[0].present(segment)) {
      std::fill_n(row, nist_columns(max_order_), 0);
      return true;
    }
    std::int64_t* const information = row + 2;
    std::int64_t* const rest = information + max_order_;
    std::fill_n(information, 2 * std::size_t{max_order_}, 0);
    known_ = true;
    told_.start_segment();
    matcher_.follow(segment, hypotheses, references, [&](unsigned n, std::int64_t) {
      if (n == 1) find_words();
      told_.start_order();
      for (const Position& position : matcher_.shared()) {
        const Information value = n == 1 ? of_word(position.start) : of_longer(n, position.start);
        if (!matcher_.take_match(position.number)) continue;
        constexpr unsigned kShift = kRestBits - kInformationBits;
        information[n - 1] += value.units >> kShift;
        rest[n - 1] += value.units & ((std::int64_t{1} << kShift) - 1);
        if (told_here != nullptr) told_.add(position.number, value.bits);
      }
      if (told_here != nullptr) told_here[n - 1] = told_.sum(told.compensated);
    });
    row[0] = matcher_.hypothesis_length();
    row[1] = matcher_.reference_length();
    matcher_.fill_totals(rest + max_order_);
    return known_;
  }

 private:
  static constexpr std::uint32_t kNoNews = std::numeric_limits<std::uint32_t>::max();

  struct Information {
    std::int64_t units = 0;  // of 2^-53; what lies below them is dropped
    double bits = 0;         // as the quotient of two logarithms, which is Python's
  };

  void find_words() {
    const auto length = static_cast<std::size_t>(matcher_.hypothesis_length());
    words_.start(length);
    nodes_.start(length);
    words_.keep_first(length);
    nodes_.keep_first(length);
    for (const Position& position : matcher_.shared()) {
      const std::uint32_t word = ngrams_.word_number(matcher_.word(position.start));
      known_ = known_ && word != 0;
      words_[position.start] = word;
      nodes_[position.start] = word == 0 ? kNoNews : word - 1;
    }
  }

  Information of_word(std::uint32_t start) {
    const std::uint32_t node = nodes_[start];
    return node == kNoNews ? Information{} : logarithm(ngrams_.words(), ngrams_.count(1, node));
  }

  // The n-gram that starts there: one word longer than the one whose node was found last.
  Information of_longer(unsigned n, std::uint32_t start) {
    const std::uint32_t node = nodes_[start];
    if (node == kNoNews) return {};
    const std::uint32_t prefix_count = ngrams_.count(n - 1, node);
    const bool nothing_before = zero_is_no_word_ && n == 2 && is_zero(start);
    nodes_[start] = kNoNews;
    if (prefix_count == 1 && !nothing_before) return {};
    const std::optional<std::uint32_t> found = ngrams_.child(n - 1, node, words_[start + n - 1]);
    known_ = known_ && found.has_value();
    if (!found) return {};
    nodes_[start] = *found;
    return logarithm(nothing_before ? ngrams_.words() : prefix_count, ngrams_.count(n, *found));
  }

  bool is_zero(std::uint32_t start) const {
    const Token& token = matcher_.word(start);
    return token.length == 1 && *token.text == '0';
  }

  // Most n-grams are rare, so that the same few counts come again and again.
  Information logarithm(std::uint64_t numerator, std::uint64_t denominator) {
    if (numerator == denominator) return {};
    Logarithm& kept = kept_[(numerator * 31 + denominator) % kept_.size()];
    if (kept.numerator != numerator || kept.denominator != denominator) {
      const double ratio = static_cast<double>(numerator) / static_cast<double>(denominator);
      const double units = std::log2(ratio) * static_cast<double>(std::int64_t{1} << kRestBits);
      kept = {numerator, denominator, {static_cast<std::int64_t>(units), std::log(ratio) / std::log(2.0)}};
    }
    return kept.value;
  }

  struct Logarithm {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 0;
    Information value;
  };

  const ReferenceNgrams& ngrams_;
  std::vector<Logarithm> kept_ = std::vector<Logarithm>(1024);
  Matcher matcher_;
  ToldByOrder told_;
  const unsigned max_order_;
  const bool zero_is_no_word_;
  bool known_ = true;
  Refilled<std::uint32_t> words_;  // by where they start: their numbers, where a reference has them
  Refilled<std::uint32_t> nodes_;  // of the n-gram that starts there, or kNoNews from it on
};

}  // namespace

std::optional<std::size_t> nist_statistics(const Column& hypotheses, const std::vector<Column>& references,
                                           const ReferenceNgrams& ngrams, const NgramOptions& options,
                                           bool zero_is_no_word, std::int64_t* rows, const Told& told) {
  const std::size_t width = nist_columns(options.max_order);
  FirstOf unknown(hypotheses.size());
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return
        [&, weigher = Weigher(ngrams, options, zero_is_no_word)](std::size_t begin, std::size_t end) mutable {
          for (std::size_t i = begin; i < end; ++i) {
            if (!weigher.count(i, hypotheses, references, rows + i * width, told)) unknown.add(i);
          }
        };
  });
  return unknown.found();
}

}  // namespace understudy
