// The trees of a segment, read from text: constituents from Penn brackets, dependencies from CoNLL-U.
//
// A segment may hold several sentences, so several trees. Nothing here recurses: a tree may be as deep as it
// likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode.h"

namespace understudy {

// Nodes stand before their children, and siblings in the order of the text.
struct Forest {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    std::string_view label;  // what it is compared by
    std::string_view word;   // where there is one, as it stands in the text
    std::uint32_t parent;    // kNone: the root of a tree
    bool has_word;
  };

  std::vector<Node> nodes;
  std::deque<std::string> rewritten;  // labels that are not in the text as they are

  void clear() {
    nodes.clear();
    rewritten.clear();
  }
};

// Where a text is no tree, and why.
struct TreeFault {
  std::size_t offset;
  std::string what;
};

// ---------------------------------------------------------------------------------------------------
// Parts of speech

// What the Penn Treebank and its relatives tag as punctuation, the Stuttgart tags of German included.
bool is_punctuation_tag(std::string_view tag);

// The tag of Universal Dependencies, as far as a tag of the Penn Treebank alone decides it (Marcus, Santorini
// & Marcinkiewicz 1993, with the later additions HYPH, AFX, ADD, NFP, GW and XX); empty for other tags.
std::string_view coarse_tag(std::string_view tag);

// ---------------------------------------------------------------------------------------------------
// Penn brackets: `(S (NP (PRP I)) (VP (VBD slept)))`, one tree after the other, `()` for none. All dialects
// give the same nodes: empty elements (-NONE-) are removed with all that has nothing else below it, labels
// are cut before the function (NP-SBJ, NP=2, PRT|ADVP), and a nameless or ROOT, TOP, S1, VROOT node around a
// sentence is left out. A part of speech needs no word: `(S (NP (PRON)) (VP (V)))`.

enum class Tags : std::uint8_t { Fine, Coarse };

struct BracketOptions {
  Tags tags = Tags::Fine;
  bool punctuation = true;
};

// Fills the forest; says what is wrong with the text, if anything is.
std::optional<TreeFault> read_brackets(std::string_view text, const BracketOptions& options, Forest& forest);

// ---------------------------------------------------------------------------------------------------
// CoNLL-U: ten columns, a word per line, an empty line between sentences. Comments, ranges of multi-word
// tokens (1-2) and empty nodes (8.1) are passed over.

enum class NodeKind : std::uint8_t { Word, Lemma, Tag, CoarseTag, Relation };

struct DependencyOptions {
  NodeKind node = NodeKind::Word;
  unicode::Case letter_case = unicode::Case::Keep;  // of words and lemmas
  bool punctuation = true;                          // if not, what hangs on it hangs on what it hangs on
};

std::optional<TreeFault> read_dependencies(std::string_view text, const DependencyOptions& options,
                                           Forest& forest);

}  // namespace understudy
