#include "tree/forest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace understudy {

namespace {

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// NP-SBJ-1, NP=2 and PRT|ADVP without what follows; -LRB- and the like have nothing to lose.
std::string_view without_function(std::string_view label) {
  if (label.empty() || label[0] == '-') return label;
  const std::size_t end = label.find_first_of("-=|", 1);
  return end == std::string_view::npos ? label : label.substr(0, end);
}

bool is_wrapper(std::string_view label) {
  return label.empty() || label == "ROOT" || label == "TOP" || label == "S1" || label == "VROOT";
}

std::string_view coarse_or_same(std::string_view tag) {
  const std::string_view coarse = coarse_tag(tag);
  return coarse.empty() ? tag : coarse;
}

// Leaves out the nodes that are not kept. What stood below one stands below the node above it.
void keep(const std::vector<bool>& kept, Forest& forest) {
  std::vector<std::uint32_t> now(forest.nodes.size());  // where a node is, or the one it is replaced by
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < forest.nodes.size(); ++i) {
    Forest::Node node = forest.nodes[i];
    node.parent = node.parent == Forest::kNone ? Forest::kNone : now[node.parent];
    if (kept[i]) {
      now[i] = count;
      forest.nodes[count++] = node;
    } else {
      now[i] = node.parent;
    }
  }
  forest.nodes.resize(count);
}

// Which constituents stay: no empty elements, no punctuation if that is unwanted, nothing that had only such
// below it, and no wrappers.
std::vector<bool> wanted_constituents(const BracketOptions& options, const std::vector<bool>& leaves,
                                      const Forest& forest) {
  std::vector<bool> kept(forest.nodes.size(), false);
  for (std::size_t i = forest.nodes.size(); i-- > 0;) {
    const Forest::Node& node = forest.nodes[i];
    if (leaves[i]) {
      const bool dropped = node.label == "-NONE-" || (!options.punctuation && is_punctuation_tag(node.label));
      if (!dropped) kept[i] = true;
    }
    if (kept[i] && node.parent != Forest::kNone) kept[node.parent] = true;
  }
  std::vector<bool> outside(forest.nodes.size(), false);  // wrappers, perhaps one in the other
  for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
    const Forest::Node& node = forest.nodes[i];
    outside[i] =
        !leaves[i] && is_wrapper(node.label) && (node.parent == Forest::kNone || outside[node.parent]);
    if (outside[i]) kept[i] = false;
  }
  return kept;
}

}  // namespace

bool is_punctuation_tag(std::string_view tag) {
  static constexpr std::array<std::string_view, 17> kTags = {
      ".",     ",",    ":",   "``",    "''", "\"", "-LRB-", "-RRB-", "-LSB-",
      "-RSB-", "HYPH", "NFP", "PUNCT", "PU", "$.", "$,",    "$("};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

std::string_view coarse_tag(std::string_view tag) {
  struct Coarse {
    std::string_view tag;
    std::string_view of;  // with a space before and after each
  };
  static constexpr std::array<Coarse, 15> kCoarse = {{
      {"ADJ", " JJ JJR JJS AFX "},
      {"ADP", " IN RP "},
      {"ADV", " RB RBR RBS WRB "},
      {"AUX", " MD "},
      {"CCONJ", " CC "},
      {"DET", " DT PDT WDT "},
      {"INTJ", " UH "},
      {"NOUN", " NN NNS "},
      {"NUM", " CD "},
      {"PART", " POS TO "},
      {"PRON", " PRP PRP$ WP WP$ EX "},
      {"PROPN", " NNP NNPS "},
      {"SYM", " $ # SYM "},
      {"VERB", " VB VBD VBG VBN VBP VBZ "},
      {"X", " FW LS ADD GW XX "},
  }};
  if (is_punctuation_tag(tag)) return "PUNCT";
  const std::string wanted = " " + std::string(tag) + " ";
  for (const Coarse& coarse : kCoarse) {
    if (coarse.of.find(wanted) != std::string_view::npos) return coarse.tag;
  }
  return {};
}

std::optional<TreeFault> read_brackets(std::string_view text, const BracketOptions& options, Forest& forest) {
  forest.clear();
  std::vector<std::uint32_t> open;  // the nodes that are not closed yet
  std::vector<std::size_t> starts;  // by node: where it was opened
  std::vector<bool> leaves;         // by node: nothing stands below it
  std::size_t at = 0;
  const auto atom = [&] {
    const std::size_t begin = at;
    while (at < text.size() && !is_separator(text[at]) && text[at] != '(' && text[at] != ')') ++at;
    return text.substr(begin, at - begin);
  };
  while (at < text.size()) {
    if (is_separator(text[at])) {
      ++at;
    } else if (text[at] == '(') {
      if (!open.empty()) {
        if (forest.nodes[open.back()].has_word) return TreeFault{at, "an opening bracket after a word"};
        leaves[open.back()] = false;
      }
      starts.push_back(at++);
      const std::uint32_t parent = open.empty() ? Forest::kNone : open.back();
      open.push_back(static_cast<std::uint32_t>(forest.nodes.size()));
      forest.nodes.push_back({atom(), {}, parent, false});
      leaves.push_back(true);
    } else if (text[at] == ')') {
      if (open.empty()) return TreeFault{at, "a closing bracket without an opening one"};
      const Forest::Node& node = forest.nodes[open.back()];
      if (node.label.empty() && leaves[open.back()]) {
        if (node.has_word || node.parent != Forest::kNone) {
          return TreeFault{starts.back(), "a constituent without a label"};
        }
        forest.nodes.pop_back();  // () is no tree
        leaves.pop_back();
        starts.pop_back();
      }
      open.pop_back();
      ++at;
    } else {
      const std::size_t begin = at;
      const std::string_view word = atom();
      if (open.empty()) return TreeFault{begin, "a word outside brackets"};
      Forest::Node& node = forest.nodes[open.back()];
      if (node.has_word) return TreeFault{begin, "a second word in one pair of brackets"};
      if (!leaves[open.back()]) return TreeFault{begin, "a word beside constituents"};
      node.word = word;
      node.has_word = true;
    }
  }
  if (!open.empty()) return TreeFault{starts[open.front()], "an opening bracket without a closing one"};

  for (Forest::Node& node : forest.nodes) node.label = without_function(node.label);
  const std::vector<bool> kept = wanted_constituents(options, leaves, forest);
  for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
    if (kept[i] && forest.nodes[i].label.empty()) {
      return TreeFault{starts[i], "a constituent without a label"};
    }
  }
  if (options.tags == Tags::Coarse) {
    for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
      if (leaves[i]) forest.nodes[i].label = coarse_or_same(forest.nodes[i].label);
    }
  }
  keep(kept, forest);
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kColumns = 10;
using Fields = std::array<std::string_view, kColumns>;

struct DependencyWord {
  std::string_view label;
  std::string_view form;
  std::uint32_t head;  // 0: none
  bool kept;
  std::size_t offset;  // of its line
};

std::optional<std::uint32_t> as_number(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

// The columns of a line; fewer than ten if it has fewer, or nothing if it has more.
std::optional<std::size_t> split_columns(std::string_view line, Fields& fields) {
  std::size_t count = 0;
  for (;;) {
    if (count == kColumns) return std::nullopt;
    const std::size_t tab = line.find('\t');
    fields[count++] = line.substr(0, tab);
    if (tab == std::string_view::npos) return count;
    line.remove_prefix(tab + 1);
  }
}

bool is_punctuation(const Fields& fields) {
  if (fields[3] != "_") return fields[3] == "PUNCT";
  return fields[7] == "punct" || is_punctuation_tag(fields[4]);
}

class DependencyReader {
 public:
  DependencyReader(const DependencyOptions& options, Forest& forest) : options_(options), forest_(forest) {}

  std::optional<TreeFault> read(std::string_view text) {
    forest_.clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      std::optional<TreeFault> fault = line.empty() ? finish_sentence() : read_line(line, at);
      if (fault) return fault;
      at = end + 1;
    }
    return finish_sentence();
  }

 private:
  std::optional<TreeFault> read_line(std::string_view line, std::size_t offset) {
    if (line[0] == '#') return std::nullopt;
    Fields fields;
    const std::optional<std::size_t> count = split_columns(line, fields);
    if (!count || *count != kColumns) {
      const std::string found = count ? std::to_string(*count) : "more than 10";
      return TreeFault{offset, "expected 10 tab-separated columns, got " + found};
    }
    const auto* const empty = std::find(fields.begin(), fields.end(), std::string_view());
    if (empty != fields.end()) {
      const std::string column = std::to_string(empty - fields.begin() + 1);
      return TreeFault{offset, "column " + column + " is empty, expected '_' for no value"};
    }
    if (fields[0].find_first_of("-.") != std::string_view::npos) return std::nullopt;
    const std::size_t expected = words_.size() + 1;
    const std::optional<std::uint32_t> number = as_number(fields[0]);
    if (!number || *number != expected) {
      return TreeFault{offset, "expected word number " + std::to_string(expected) + ", got '" +
                                   std::string(fields[0]) + "'"};
    }
    const std::optional<std::uint32_t> head = as_number(fields[6]);
    if (!head) {
      return TreeFault{offset,
                       "expected the number of the head in column 7, got '" + std::string(fields[6]) + "'"};
    }
    const std::string_view label = label_of(fields);
    if (label == "_" && fields[1] != "_") {
      return TreeFault{offset, "word " + std::to_string(expected) + " has no " + what_is_compared()};
    }
    const bool kept = options_.punctuation || !is_punctuation(fields);
    words_.push_back({label, fields[1], *head, kept, offset});
    return std::nullopt;
  }

  std::string_view label_of(const Fields& fields) {
    switch (options_.node) {
      case NodeKind::Word:
        return cased(fields[1]);
      case NodeKind::Lemma:
        return cased(fields[2]);
      case NodeKind::Tag:
        return fields[4];
      case NodeKind::CoarseTag:
        return fields[3] == "_" ? coarse_or_same(fields[4]) : fields[3];
      case NodeKind::Relation:
        break;
    }
    return fields[7];
  }

  std::string what_is_compared() const {
    switch (options_.node) {
      case NodeKind::Lemma:
        return "lemma (column 3)";
      case NodeKind::Tag:
        return "language-specific part of speech (column 5)";
      case NodeKind::CoarseTag:
        return "part of speech (columns 4 and 5)";
      case NodeKind::Word:
      case NodeKind::Relation:
        break;
    }
    return "relation (column 8)";
  }

  std::string_view cased(std::string_view word) {
    if (options_.letter_case == unicode::Case::Keep) return word;
    std::string scratch;
    return forest_.rewritten.emplace_back(unicode::in_case(word, options_.letter_case, scratch));
  }

  std::optional<TreeFault> finish_sentence() {
    std::optional<TreeFault> fault = order_words();
    if (fault) return fault;
    if (!options_.punctuation && drop_punctuation()) order_words();
    std::vector<std::uint32_t> node_of(words_.size() + 1, Forest::kNone);
    for (const std::uint32_t number : order_) {
      const DependencyWord& word = words_[number - 1];
      node_of[number] = static_cast<std::uint32_t>(forest_.nodes.size());
      forest_.nodes.push_back({word.label, word.form, node_of[word.head], true});
    }
    words_.clear();
    return std::nullopt;
  }

  // The words by number, each after its head, and those of one head in the order of the text.
  std::optional<TreeFault> order_words() {
    const auto count = static_cast<std::uint32_t>(words_.size());
    std::vector<std::uint32_t> first_child(count + 1, 0);  // 0 is what roots hang on
    std::vector<std::uint32_t> next(count + 1, 0);
    for (std::uint32_t i = count; i >= 1; --i) {
      const std::uint32_t head = words_[i - 1].head;
      if (head > count) {
        return TreeFault{words_[i - 1].offset, "expected a head from 0 to " + std::to_string(count) +
                                                   " in column 7, got " + std::to_string(head)};
      }
      next[i] = first_child[head];
      first_child[head] = i;
    }
    order_.clear();
    std::vector<bool> seen(count + 1, false);
    std::vector<std::uint32_t> waiting = {0};
    while (!waiting.empty()) {
      const std::uint32_t word = waiting.back();
      waiting.pop_back();
      seen[word] = true;
      if (word != 0) order_.push_back(word);
      const auto bottom = static_cast<std::ptrdiff_t>(waiting.size());
      for (std::uint32_t child = first_child[word]; child != 0; child = next[child]) waiting.push_back(child);
      std::reverse(waiting.begin() + bottom, waiting.end());  // the first is to be taken first
    }
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (lost == seen.end()) return std::nullopt;
    const auto word = static_cast<std::size_t>(lost - seen.begin());
    return TreeFault{words_[word - 1].offset,
                     "word " + std::to_string(word) + " has no path to a root: its heads form a cycle"};
  }

  // Whether there was any. What hung on it hangs on what it hung on.
  bool drop_punctuation() {
    std::vector<std::uint32_t> renumbered(words_.size() + 1, 0);
    std::vector<DependencyWord> left;
    for (const std::uint32_t number : order_) {
      DependencyWord& word = words_[number - 1];
      if (word.head != 0 && !words_[word.head - 1].kept) word.head = words_[word.head - 1].head;
    }
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!words_[i].kept) continue;
      left.push_back(words_[i]);
      renumbered[i + 1] = static_cast<std::uint32_t>(left.size());
    }
    if (left.size() == words_.size()) return false;
    for (DependencyWord& word : left) word.head = renumbered[word.head];
    words_ = std::move(left);
    return true;
  }

  const DependencyOptions options_;
  Forest& forest_;
  std::vector<DependencyWord> words_;  // of the sentence being read
  std::vector<std::uint32_t> order_;   // their numbers from 1, see order_words
};

}  // namespace

std::optional<TreeFault> read_dependencies(std::string_view text, const DependencyOptions& options,
                                           Forest& forest) {
  return DependencyReader(options, forest).read(text);
}

}  // namespace understudy
