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
};

// How often the reference being read has an n-gram, if there are several references.
struct InCurrent {
  std::uint32_t count = 0;
  std::uint32_t reference = 0;
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

    place(text_.hypothesis(), hypothesis_positions_, [this](const Token& token) {
      return vocabulary_.find_or_add(token, [this] { return new_gram(); });
    });
    if (reference_positions_.size() < text_.references()) reference_positions_.resize(text_.references());
    read_references([this](Positions& positions, std::size_t r, auto&& counted) {
      place(text_.reference(r), positions,
            [&](const Token& token) { return counted(vocabulary_.find(token)); });
    });
  }

  // From the numbers of all n-grams to those of all (n+1)-grams.
  void number_longer() {
    lengthen(hypothesis_positions_, pairs_,
             [this](std::uint64_t pair) { return longer_.find_or_add(pair, [this] { return new_gram(); }); });
    read_references([this](Positions& positions, std::size_t, auto&& counted) {
      lengthen(positions, pairs_, [&](std::uint64_t pair) { return counted(longer_.find(pair)); });
    });
  }

  // Calls read(positions, r, counted) for every reference; counted(number) counts an n-gram of it.
  template <class Read>
  void read_references(Read&& read) {
    Gram* const grams = grams_.data();
    if (text_.references() == 1) {
      read(reference_positions_[0], 0, [grams](std::uint32_t number) {
        ++grams[number].in_reference;
        return number;
      });
      return;
    }
    in_current_.assign(grams_.size(), {});
    for (std::uint32_t r = 0; r < text_.references(); ++r) {
      read(reference_positions_[r], r, [this, grams, r](std::uint32_t number) {
        InCurrent& current = in_current_[number];
        current.count = current.reference == r ? current.count + 1 : 1;
        current.reference = r;
        grams[number].in_reference = std::max(grams[number].in_reference, current.count);
        return number;
      });
    }
  }

  // Clipped matches: each distinct n-gram counts at most as often as in the reference that has most of it
  // (Papineni et al. 2002, section 2.1: min(Count, Max_Ref_Count)).
  std::int64_t match() {
    std::uint64_t matches = 0;
    Gram* const grams = grams_.data();
    filter(hypothesis_positions_, [grams, &matches](std::uint32_t number) {
      Gram& gram = grams[number];
      // The clipping: an occurrence counts only while fewer than Max_Ref_Count were seen before it.
      matches += below(gram.in_hypothesis, gram.in_reference);
      ++gram.in_hypothesis;
      return below(0, gram.in_reference);
    });
    return static_cast<std::int64_t>(matches);
  }

  const NgramOptions options_;
  SegmentTokens text_;
  Positions hypothesis_positions_;
  std::vector<Positions> reference_positions_;
  Refilled<std::uint64_t> pairs_;
  Refilled<Gram> grams_;               // by number
  std::vector<InCurrent> in_current_;  // likewise
  Vocabulary vocabulary_;
  NumberTable longer_;
};

}  // namespace understudy
