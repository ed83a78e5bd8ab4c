// The n-grams of a whole set of texts: of all references of a test set for NIST, of all texts for Self-BLEU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"
#include "text/word_numbers.h"

namespace understudy {

// How often every n-gram occurs in a set of references, in which only those n-grams are kept that can tell
// something: where the first n - 1 words occur but once, the n-th is no news, and neither is any after it.
class ReferenceNgrams {
 public:
  // `by_text`: count in every text by itself, too.
  ReferenceNgrams(Tokenizer tokenizer, unicode::Case letter_case, unsigned max_order, bool by_text = false);

  // Counts more references; all are counted before `finish`.
  void add(const std::vector<Column>& references);
  void finish();

  bool finished() const { return !levels_.empty(); }
  unsigned max_order() const { return max_order_; }
  std::uint64_t words() const { return words_; }
  // A number that depends on the references, not on their order: the same for the same set.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // A tree of words: the nodes of one depth, sorted by their parents and words, and one more at the end. The
  // children of one start in the next level where `children` says, and end where those of the next one start.
  struct Node {
    std::uint32_t word;
    std::uint32_t count;
    std::uint32_t children;
  };
  // The counts of an n-gram in the texts one by one: the largest, how many texts have it so often, and the
  // largest among the others.
  struct Spread {
    std::uint32_t most = 0;
    std::uint32_t holders = 0;
    std::uint32_t second = 0;

    void add(std::uint32_t count);
    // The largest count outside one of the texts, which has this count itself.
    std::uint32_t elsewhere(std::uint32_t own) const { return own < most || holders > 1 ? most : second; }
  };
  struct Level {
    std::vector<Node> nodes;
    std::vector<Spread> spreads;  // of the nodes, if counted by text
  };
  std::uint32_t word_number(const Token& token) const { return vocabulary_.find(token); }
  std::uint32_t count(unsigned depth, std::uint32_t node) const {
    return levels_[depth - 1].nodes[node].count;
  }
  const Spread& spread(unsigned depth, std::uint32_t node) const { return levels_[depth - 1].spreads[node]; }
  bool by_text() const { return by_text_; }
  // How many words the texts have, in ascending order, and whether one of them has this fingerprint.
  const std::vector<std::uint32_t>& lengths() const { return lengths_; }
  bool has_text(TextFingerprint text) const {
    return std::binary_search(texts_.begin(), texts_.end(), text.state);
  }
  // The node that continues another of this depth with a word.
  std::optional<std::uint32_t> child(unsigned depth, std::uint32_t node, std::uint32_t word) const {
    const Node* const parent = levels_[depth - 1].nodes.data() + node;
    const Node* const longer = levels_[depth].nodes.data();
    std::uint32_t first = parent[0].children;
    const std::uint32_t end = parent[1].children;
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
  void spread_words(Level& level) const;
  std::vector<std::uint32_t> text_of_places() const;

  const Tokenizer tokenizer_;
  const unicode::Case letter_case_;
  const unsigned max_order_;
  const bool by_text_;
  WordNumbers vocabulary_;
  // The words of all references by number, 0 after each; empty when finished.
  std::vector<std::uint32_t> text_;
  std::uint64_t words_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint64_t> texts_;  // their fingerprints
  std::vector<Level> levels_;
};

}  // namespace understudy
