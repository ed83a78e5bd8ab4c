// Information-weighted n-gram matches: the sufficient statistics of NIST (Doddington 2002).
//
// What an n-gram tells is log2 of how often its first n - 1 words occur in all references of a test set,
// divided by how often the whole n-gram does. So there are two steps: counting the references of the whole
// set, and then counting each hypothesis with what they told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "column.h"
#include "matching.h"
#include "ngram.h"
#include "word_numbers.h"

namespace understudy {

// Sums of logarithms are kept exact as whole numbers, so that they do not depend on the order of adding:
// every logarithm is cut off at 2^-53, and its units of 2^-24 and the rest below them are summed apart. Both
// sums stay below 2^63 for more than 10^10 matches, and below 2^53 (exact as a double) for more than 10^7.
inline constexpr unsigned kInformationBits = 24;
inline constexpr unsigned kRestBits = 53;

// How often every n-gram occurs in a set of references, in which only those n-grams are kept that can tell
// something: where the first n - 1 words occur but once, the n-th is no news, and neither is any after it.
class ReferenceNgrams {
 public:
  ReferenceNgrams(Tokenizer tokenizer, unicode::Case letter_case, unsigned max_order);

  // Counts more references; all are counted before `finish`.
  void add(const std::vector<Column>& references);
  void finish();

  bool finished() const { return !levels_.empty(); }
  unsigned max_order() const { return max_order_; }
  std::uint64_t words() const { return words_; }
  // A number that depends on the references, not on their order: the same for the same set.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // A tree of words: the nodes of one depth, sorted by their parents and words. The children of one start in
  // the next level where `children` says, and end where those of the next one start.
  struct Node {
    std::uint32_t word;
    std::uint32_t count;
  };
  struct Level {
    std::vector<Node> nodes;
    std::vector<std::uint32_t> children;
  };
  std::uint32_t word_number(const Token& token) const { return vocabulary_.find(token); }
  std::uint32_t count(unsigned depth, std::uint32_t node) const {
    return levels_[depth - 1].nodes[node].count;
  }
  // The node that continues another of this depth with a word.
  std::optional<std::uint32_t> child(unsigned depth, std::uint32_t node, std::uint32_t word) const {
    const Level& level = levels_[depth - 1];
    const Node* const longer = levels_[depth].nodes.data();
    std::uint32_t first = level.children[node];
    const std::uint32_t end = level.children[node + 1];
    for (std::uint32_t count = end - first; count > 1;) {
      const std::uint32_t half = count / 2;
      first += longer[first + half].word <= word ? half : 0;  // a coin toss: no branch hangs on it
      count -= half;
    }
    if (first == end || longer[first].word != word) return std::nullopt;
    return first;
  }

  // Everything, as bytes that `from_bytes` reads on a machine of the same kind.
  std::string to_bytes() const;
  static ReferenceNgrams from_bytes(std::string_view bytes);

 private:
  std::vector<std::uint32_t> sorted_pairs(Level& level) const;

  const Tokenizer tokenizer_;
  const unicode::Case letter_case_;
  const unsigned max_order_;
  WordNumbers vocabulary_;
  std::vector<std::uint32_t>
      text_;  // the words of all references by number, 0 after each; empty when finished
  std::uint64_t words_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::vector<Level> levels_;
};

// Numbers per segment: hypothesis length, mean reference length in kLengthUnits, and for the orders 1..N the
// information of the matches in whole units, the rest of it, and the totals.
inline std::size_t nist_columns(unsigned max_order) { return 2 + 3 * std::size_t{max_order}; }

// Fills rows [segments, nist_columns]. `zero_is_no_word`: the information of "0 x" is taken as if nothing
// stood before x. Returns a segment with an n-gram that the counted references lack, if there is one: the
// first.
std::optional<std::size_t> nist_statistics(const Column& hypotheses, const std::vector<Column>& references,
                                           const ReferenceNgrams& ngrams, const NgramOptions& options,
                                           bool zero_is_no_word, std::int64_t* rows);

}  // namespace understudy
