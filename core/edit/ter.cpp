// The search is Tercom's (Snover et al. 2006): as long as one helps, do the shift that lowers the edit
// distance most. sacreBLEU 2.6.0 follows it but for two things, which `shifts_as_sacrebleu` keeps: how the
// distance of a shift is measured, and where a phrase goes that is shifted into itself. To the same result
// this comes in less time:
//
// - The shifts to be tried follow from the alignment alone. They are listed before any is tried, so that a
//   round that would end at the limit of candidates costs nothing.
// - No order of the words has a smaller distance than the number of words without a partner. At that
//   distance the search is over, and a shift is not tried if even that would not make it the best.
// - A shift leaves the rows of the distance's table before it as they are, and often the rows after it too,
//   but for a constant.
#include "edit/ter.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "edit/beam_distance.h"
#include "edit/cost_beam.h"
#include "edit/too_long.h"
#include "edit/word_alignment.h"
#include "edit/word_places.h"
#include "ngram/equal_ngrams.h"
#include "support/parallel.h"
#include "text/numbered_pair.h"
#include "text/token.h"
#include "text/tokens.h"

namespace understudy {

namespace {

struct Edits {
  std::int64_t insertions = 0;
  std::int64_t deletions = 0;
  std::int64_t substitutions = 0;
  std::int64_t shifts = 0;

  std::int64_t total() const { return insertions + deletions + substitutions + shifts; }
};

// The words [start, start + length) are taken out and put back before the word `target` of the whole. Where
// that lies within them or right behind them, they go to the right: over target - start words in sacreBLEU,
// over one fewer in Tercom.
struct Shift {
  std::size_t start = 0;
  std::size_t length = 0;
  std::size_t target = 0;

  // What the order of shifts is decided by when they gain the same: longer ones first, then the leftmost,
  // then those that go furthest left.
  auto rank() const { return std::tuple(length, ~start, ~target); }

  // The words that change places: [first, middle) and [middle, last) are exchanged.
  std::tuple<std::size_t, std::size_t, std::size_t> exchanged(std::size_t words, bool as_sacrebleu) const {
    if (target <= start) return {target, start, start + length};
    if (target > start + length) return {start, start + length, target};
    return {start, start + length, std::min(words, target + length - (as_sacrebleu ? 0 : 1))};
  }
};

class Searcher {
 public:
  explicit Searcher(const TerOptions& options) : options_(options) {}

  // The edits that the search finds, or any that are no fewer than `enough`.
  Edits edits(const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference,
              std::size_t vocabulary, std::int64_t enough) {
    Edits found;
    if (reference.empty()) {
      found.insertions = static_cast<std::int64_t>(hypothesis.size());
      return found;
    }
    const std::int64_t least = words_without_partner(hypothesis, reference, vocabulary);
    if (least >= enough) {
      found.substitutions = least;
      return found;
    }
    words_ = hypothesis;
    reference_ = &reference;
    start(vocabulary);
    std::int64_t distance = align(0);
    std::size_t tried = 0;
    bool more = true;
    while (more && distance > least) {
      more = list_shifts(tried);
      if (!more && options_.discard_at_limit) break;
      const std::int64_t gain = choose_shift(distance, least);
      if (gain == 0) break;
      const auto [first, middle, last] = best_.exchanged(words_.size(), options_.shifts_as_sacrebleu);
      std::rotate(at(words_, first), at(words_, middle), at(words_, last));
      distance = align(first);
      ++found.shifts;
    }
    found.insertions = alignment_.insertions;
    found.deletions = alignment_.deletions;
    found.substitutions = alignment_.substitutions;
    return found;
  }

 private:
  static std::vector<std::uint32_t>::iterator at(std::vector<std::uint32_t>& words, std::size_t i) {
    return words.begin() + static_cast<std::ptrdiff_t>(i);
  }

  std::int64_t words_without_partner(const std::vector<std::uint32_t>& hypothesis,
                                     const std::vector<std::uint32_t>& reference, std::size_t vocabulary) {
    left_.assign(vocabulary + 1, 0);
    for (const std::uint32_t word : reference) ++left_[word];
    left_[0] = 0;
    std::size_t partners = 0;
    for (const std::uint32_t word : hypothesis) {
      if (left_[word] > 0) {
        --left_[word];
        ++partners;
      }
    }
    return static_cast<std::int64_t>(std::max(hypothesis.size(), reference.size()) - partners);
  }

  void start(std::size_t vocabulary) {
    const bool of_costs = options_.beam_of_costs && options_.beam > 0;
    places_.start(*reference_, vocabulary);
    constexpr std::size_t kLargest = std::numeric_limits<std::int32_t>::max() / 4;  // no distance is
    dearest_ = of_costs ? std::min(options_.beam, kLargest) : kLargest;
    if (of_costs) cost_beam_.start(*reference_, static_cast<std::int32_t>(dearest_));
    // In longer texts 64 columns at a time are no faster than the few columns within the beam.
    bits_first_ = !of_costs || reference_->size() < 8 * kBits;
    if (bits_first_) distance_.start(*reference_, places_, words_.size(), of_costs ? 0 : options_.beam);
  }

  // Aligns the words, of which those before `from` are as they were, and returns their distance.
  std::int64_t align(std::size_t from) {
    if (bits_first_) {
      const std::int64_t distance = distance_.set_current(words_, from);
      if (!is_cut(distance)) {
        distance_.align(words_, alignment_);
        return distance;
      }
    }
    const std::int64_t distance = cost_beam_.set_current(words_);
    cost_beam_.align(words_, alignment_);
    return distance;
  }

  // Whether a distance may be larger within a beam of costs.
  bool is_cut(std::int64_t distance) const { return static_cast<std::size_t>(distance) > dearest_; }

  // All shifts to be tried; false if that reaches the limit, counted over all rounds.
  bool list_shifts(std::size_t& tried) {
    candidates_.clear();
    count_errors(alignment_.hypothesis_error, hypothesis_errors_);
    count_errors(alignment_.reference_error, reference_errors_);
    const std::size_t before = tried;
    const std::size_t limit =
        options_.max_candidates == 0 ? std::numeric_limits<std::size_t>::max() : options_.max_candidates;
    bool within = true;
    for (std::size_t start = 0; within && start < words_.size(); ++start) {
      if (words_[start] == 0) continue;
      const auto [first, end] = places_within_distance(start);
      places_.positions(words_[start], first, end, [&](std::size_t place) {
        if (within) within = list_shifts_to(start, place, limit - before);
      });
    }
    tried = before + candidates_.size();
    return within;
  }

  // The words of the reference to which a word may be shifted: Tercom measures to what they are aligned with,
  // sacreBLEU to the words themselves.
  std::pair<std::size_t, std::size_t> places_within_distance(std::size_t start) const {
    const std::size_t distance = options_.max_shift_distance;
    const std::size_t first = start - std::min(start, distance);
    if (options_.shifts_as_sacrebleu) {
      return {first, std::min(reference_->size(), start + std::min(distance, reference_->size()) + 1)};
    }
    const auto& aligned = alignment_.aligned;  // never falls
    const auto lowest = distance > start ? std::int64_t{-1} : static_cast<std::int64_t>(first);
    const auto highest = static_cast<std::int64_t>(start + std::min(distance, words_.size()));
    const auto begin = std::lower_bound(aligned.begin(), aligned.end(), lowest);
    const auto end = std::upper_bound(begin, aligned.end(), highest);
    return {static_cast<std::size_t>(begin - aligned.begin()),
            static_cast<std::size_t>(end - aligned.begin())};
  }

  // The shifts of what begins at `start` to where the same words begin in the reference.
  bool list_shifts_to(std::size_t start, std::size_t place, std::size_t limit) {
    const std::int64_t aligned = alignment_.aligned[place];
    const std::size_t longest =
        std::min({options_.max_shift_size, words_.size() - start, reference_->size() - place});
    for (std::size_t length = 1; length <= longest; ++length) {
      if (words_[start + length - 1] != (*reference_)[place + length - 1]) break;
      // It stands where it should if it is aligned within itself; so does then all that is longer.
      if (aligned >= static_cast<std::int64_t>(start) && aligned < static_cast<std::int64_t>(start + length))
        break;
      // Both sides must have an error, or there is nothing to mend.
      if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) continue;
      if (reference_errors_[place + length] == reference_errors_[place]) continue;
      std::size_t last_target = std::numeric_limits<std::size_t>::max();
      for (std::size_t offset = 0; offset <= length; ++offset) {
        const std::size_t neighbour = place + offset;  // counted from 1; 0 is before the reference
        const std::size_t target =
            neighbour == 0 ? 0 : static_cast<std::size_t>(alignment_.aligned[neighbour - 1] + 1);
        if (target == last_target) continue;
        last_target = target;
        candidates_.push_back({start, length, target});
      }
      if (candidates_.size() >= limit) return false;
    }
    return true;
  }

  static void count_errors(const std::vector<std::uint8_t>& errors, std::vector<std::uint32_t>& counts) {
    counts.resize(errors.size() + 1);
    counts[0] = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) counts[i + 1] = counts[i] + errors[i];
  }

  // Puts the best of the candidates into best_ and returns what it gains: 0 if none helps.
  std::int64_t choose_shift(std::int64_t distance, std::int64_t least) {
    std::int64_t best_gain = 0;
    const std::int64_t largest_gain = distance - least;
    const auto improves = [&](std::int64_t gain, const Shift& shift) {
      return gain > best_gain || (gain == best_gain && gain > 0 && shift.rank() > best_.rank());
    };
    if (options_.beam_of_costs) {
      std::sort(candidates_.begin(), candidates_.end(),
                [](const Shift& a, const Shift& b) { return a.rank() > b.rank(); });
    }
    shifted_ = words_;
    for (const Shift& shift : candidates_) {
      // Tercom does not look for more than a shift can gain. Within a beam of costs it may gain more.
      if (options_.beam_of_costs && best_gain > 2 * static_cast<std::int64_t>(shift.length)) break;
      if (best_gain == largest_gain && shift.rank() <= best_.rank()) continue;
      auto [first, middle, last] = shift.exchanged(words_.size(), options_.shifts_as_sacrebleu);
      if (first == middle || middle == last) continue;
      std::rotate_copy(at(words_, first), at(words_, middle), at(words_, last), at(shifted_, first));
      std::int64_t reached =
          bits_first_ ? distance_.distance(shifted_, first, last) : distance - largest_gain;
      if (improves(distance - reached, shift) && (is_cut(reached) || !bits_first_)) {
        reached = cost_beam_.distance(shifted_, first, last);
      }
      std::copy(at(words_, first), at(words_, last), at(shifted_, first));
      if (improves(distance - reached, shift)) {
        best_gain = distance - reached;
        best_ = shift;
      }
    }
    return best_gain;
  }

  const TerOptions options_;
  WordPlaces places_;  // of the reference
  BeamDistance distance_;
  CostBeam cost_beam_;
  std::size_t dearest_ = 0;  // the largest distance that no beam of costs makes larger
  bool bits_first_ = true;   // whether distance_ is asked first
  WordAlignment alignment_;
  std::vector<std::uint32_t> words_;  // of the hypothesis, in the order reached so far
  std::vector<std::uint32_t> shifted_;
  const std::vector<std::uint32_t>* reference_ = nullptr;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> hypothesis_errors_, reference_errors_;  // how many before each word
  std::vector<Shift> candidates_;
  Shift best_;
};

class Counter {
 public:
  explicit Counter(const TerOptions& options) : options_(options), searcher_(options) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row) {
    read(hypotheses[segment], false, hypothesis_text_, hypothesis_);
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    std::int64_t lengths = 0;
    std::size_t present = 0;
    Edits best;
    for (const Column& column : references) {
      if (!column.present(segment)) continue;
      read(column[segment], options_.references_twice, reference_text_, reference_);
      lengths += static_cast<std::int64_t>(reference_.size());
      ++present;
      const Edits edits = edits_to_reference(fewest);
      if (edits.total() >= fewest) continue;
      fewest = edits.total();
      best = edits;
    }
    row[0] = fewest;
    row[1] = mean_length(lengths, present);
    row[2] = best.insertions;
    row[3] = best.deletions;
    row[4] = best.substitutions;
    row[5] = best.shifts;
  }

 private:
  // Tokens point into the text, which must live as long.
  struct Text {
    Rewritten once, twice, tokenized;
  };

  void read(std::string_view text, bool twice, Text& held, Refilled<Token>& tokens) {
    const bool rewrites = options_.tercom.normalized || options_.tercom.no_punct;
    if (rewrites) text = tercom_text(text, options_.letter_case, options_.tercom, held.once);
    if (rewrites && twice) text = tercom_text(text, options_.letter_case, options_.tercom, held.twice);
    tokens.start(text.size());  // a token has at least one byte, as in SegmentTokens
    tokenize(options_.tokenizer, rewrites ? unicode::Case::Keep : options_.letter_case, text, held.tokenized,
             [&tokens](const char* begin, const char* end, const char* limit) {
               tokens.append(Token::of(begin, end, limit));
             });
  }

  Edits edits_to_reference(std::int64_t fewest) {
    words_.read(hypothesis_, reference_);
    return searcher_.edits(words_.hypothesis(), words_.reference(), words_.kinds(), fewest);
  }

  const TerOptions options_;
  Searcher searcher_;
  Text hypothesis_text_, reference_text_;
  Refilled<Token> hypothesis_, reference_;
  NumberedPair words_;
};

}  // namespace

void ter_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const TerOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 8;  // few: a long segment costs as much as many short ones
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        count_segment(i, [&] { counter.count(i, hypotheses, references, rows + i * kTerColumns); });
      }
    };
  });
}

}  // namespace understudy
