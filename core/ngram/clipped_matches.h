// Follows the n-grams of a hypothesis through its references, order by order: what every metric that counts
// matching n-grams of words does first. See equal_ngrams.h for how n-grams are numbered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "ngram/ngram.h"
#include "text/tokens.h"

namespace understudy {

struct Gram {
  std::uint32_t in_hypothesis = 0;
  std::uint32_t in_reference = 0;  // the largest count in a single reference
  std::uint32_t in_current = 0;    // the count in the reference being read
  std::uint32_t current = 0;       // which reference that is
};

class Matcher {
 public:
  explicit Matcher(const NgramOptions& options)
      : options_(options), text_(options.tokenizer, options.letter_case) {}

  // Calls at_order(n, matches) for the orders n = 1, 2, ... as long as anything matches.
  template <class AtOrder>
  void follow(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
              AtOrder&& at_order) {
    text_.read(segment, hypotheses, references);
    number_tokens();
    for (unsigned n = 1; n <= options_.max_order; ++n) {
      if (n > 1) number_longer();
      const std::int64_t matches = match();
      if (matches == 0) break;  // what has no match of n words has none of n + 1
      at_order(n, matches);
    }
  }

  std::int64_t hypothesis_length() const { return static_cast<std::int64_t>(text_.hypothesis().size()); }

  // The reference length that the hypothesis is held against.
  std::int64_t reference_length() const {
    const std::int64_t hypothesis_length = this->hypothesis_length();
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t closest = shortest;
    std::int64_t closest_distance = shortest;
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < text_.references(); ++r) {
      const auto length = static_cast<std::int64_t>(text_.reference(r).size());
      const std::int64_t distance = std::abs(length - hypothesis_length);
      // Equal distance: the shorter one, as mteval and all after it do. The report leaves it open.
      if (distance < closest_distance || (distance == closest_distance && length < closest)) {
        closest = length;
        closest_distance = distance;
      }
      shortest = std::min(shortest, length);
      sum += length;
    }
    switch (options_.reference_length) {
      case ReferenceLength::Closest:
        return closest;
      case ReferenceLength::Shortest:
        return shortest;
      case ReferenceLength::Average:
        break;
    }
    return mean_length(sum, text_.references());
  }

  // The n-grams of the hypothesis, order by order: fills totals[0 .. max_order).
  void fill_totals(std::int64_t* totals) const {
    for (std::int64_t n = 0; n < options_.max_order; ++n) {
      totals[n] = std::max<std::int64_t>(hypothesis_length() - n, 0);
    }
  }

  // During at_order: the words of the hypothesis, the positions whose n-gram a reference has, and whether the
  // n-gram of that number may count once more (it is then counted).
  const Token& word(std::size_t start) const { return text_.hypothesis()[start]; }
  const Positions& shared() const { return hypothesis_positions_; }
  bool take_match(std::uint32_t number) {
    Gram& gram = grams_[number];
    if (gram.in_reference == 0) return false;
    --gram.in_reference;
    return true;
  }

 private:
  std::uint32_t new_gram() {
    grams_.append(Gram{});
    return static_cast<std::uint32_t>(grams_.size() - 1);
  }

  void number_tokens() {
    const std::size_t tokens = text_.hypothesis().size();
    grams_.start(tokens * options_.max_order + 1);
    grams_.append(Gram{});          // number 0 is taken: it means none
    vocabulary_.start(4 * tokens);  // sparse: most words of a reference are looked for in vain
    longer_.start(tokens * (options_.max_order - 1));

    hypothesis_positions_.start(tokens + 1);
    std::uint32_t start = 0;
    for (const Token& token : text_.hypothesis()) {
      const std::uint32_t number = vocabulary_.find_or_add(token, [this] { return new_gram(); });
      hypothesis_positions_.append({start++, number});
    }
    if (reference_positions_.size() < text_.references()) reference_positions_.resize(text_.references());
    for (std::size_t r = 0; r < text_.references(); ++r) {
      Positions& positions = reference_positions_[r];
      positions.start(text_.reference(r).size() + 1);
      start = 0;
      for (const Token& token : text_.reference(r)) {
        const std::uint32_t number = vocabulary_.find(token);
        positions.append({start++, number}, number != 0);
      }
    }
  }

  // From the numbers of all n-grams to those of all (n+1)-grams.
  void number_longer() {
    lengthen(hypothesis_positions_, pairs_,
             [this](std::uint64_t pair) { return longer_.find_or_add(pair, [this] { return new_gram(); }); });
    for (std::size_t r = 0; r < text_.references(); ++r) {
      lengthen(reference_positions_[r], pairs_, [this](std::uint64_t pair) { return longer_.find(pair); });
    }
  }

  // Clipped matches: each distinct n-gram counts at most as often as in the reference that has most of it.
  std::int64_t match() {
    if (text_.references() == 1) {
      for (const Position& position : reference_positions_[0]) ++grams_[position.number].in_reference;
    } else {
      for (std::uint32_t r = 0; r < text_.references(); ++r) {
        for (const Position& position : reference_positions_[r]) {
          Gram& gram = grams_[position.number];
          gram.in_current = gram.current == r ? gram.in_current + 1 : 1;
          gram.current = r;
          gram.in_reference = std::max(gram.in_reference, gram.in_current);
        }
      }
    }
    std::int64_t matches = 0;
    filter(hypothesis_positions_, [this, &matches](std::uint32_t number) {
      Gram& gram = grams_[number];
      matches += gram.in_hypothesis < gram.in_reference ? 1 : 0;
      ++gram.in_hypothesis;
      return gram.in_reference > 0;
    });
    return matches;
  }

  const NgramOptions options_;
  SegmentTokens text_;
  Positions hypothesis_positions_;
  std::vector<Positions> reference_positions_;
  Refilled<std::uint64_t> pairs_;
  Refilled<Gram> grams_;  // by number
  Vocabulary vocabulary_;
  NumberTable longer_;
};

}  // namespace understudy
