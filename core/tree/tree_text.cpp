#include "tree/tree_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace understudy {

namespace {

// How the Penn Treebank writes what its format cannot hold (Bies et al. 1995), also in the middle of a word.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kEscapes = {{{"-LRB-", "("},
                                                                                    {"-RRB-", ")"},
                                                                                    {"-LSB-", "["},
                                                                                    {"-RSB-", "]"},
                                                                                    {"-LCB-", "{"},
                                                                                    {"-RCB-", "}"},
                                                                                    {"\\/", "/"},
                                                                                    {"\\*", "*"}}};

void append_word(std::string_view word, std::string& text) {
  if (word == "``" || word == "''") {
    text += '"';
    return;
  }
  while (!word.empty()) {
    const auto* const found = std::find_if(kEscapes.begin(), kEscapes.end(), [word](const auto& escape) {
      return word.substr(0, escape.first.size()) == escape.first;
    });
    if (found != kEscapes.end()) {
      text += found->second;
      word.remove_prefix(found->first.size());
      continue;
    }
    const std::size_t plain = std::min(word.find_first_of("-\\", 1), word.size());
    text += word.substr(0, plain);
    word.remove_prefix(plain);
  }
}

void append_words(const Forest& forest, std::string& text) {
  bool first = true;
  for (const Forest::Node& node : forest.nodes) {
    if (!node.has_word) continue;
    if (!first) text += ' ';
    first = false;
    append_word(node.word, text);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// What `# text = ...` says; nothing for other comments.
std::string_view said_text(std::string_view comment) {
  const std::size_t equals = comment.find('=');
  if (equals == std::string_view::npos || trimmed(comment.substr(1, equals - 1)) != "text") return {};
  return trimmed(comment.substr(equals + 1));
}

std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_listed(std::string_view wanted, std::string_view list) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find('|', at), list.size());
    if (list.substr(at, end - at) == wanted) return true;
    at = end + 1;
  }
  return false;
}

// The text of sentences in CoNLL-U, line by line.
class SentenceTexts {
 public:
  explicit SentenceTexts(std::string& text) : text_(text), start_(text.size()) {}

  void read(std::string_view conllu) {
    for (std::size_t at = 0; at < conllu.size();) {
      const std::size_t end = std::min(conllu.find('\n', at), conllu.size());
      std::string_view line = conllu.substr(at, end - at);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.empty()) {
        finish_sentence();
      } else if (line[0] == '#') {
        if (said_.empty()) said_ = said_text(line);
      } else {
        read_token(line);
      }
      at = end + 1;
    }
    finish_sentence();
  }

 private:
  void read_token(std::string_view line) {
    const std::size_t tab = line.find('\t');
    const std::string_view id = line.substr(0, tab);
    if (id.find('.') != std::string_view::npos) return;  // an empty node is not in the text
    const std::size_t dash = id.find('-');
    if (dash != std::string_view::npos) {
      covered_ = number_in(id.substr(dash + 1));
    } else if (number_in(id) <= covered_) {
      return;
    }
    words_ += line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    if (!is_listed("SpaceAfter=No", line.substr(line.rfind('\t') + 1))) words_ += ' ';
  }

  void finish_sentence() {
    const std::string_view found = said_.empty() ? trimmed(words_) : said_;
    if (!found.empty()) {
      if (text_.size() > start_) text_ += ' ';
      text_ += found;
    }
    words_.clear();
    said_ = {};
    covered_ = 0;
  }

  std::string& text_;
  const std::size_t start_;
  std::string words_;          // of the sentence being read
  std::string_view said_;      // what a comment says its text is
  std::uint32_t covered_ = 0;  // the last word that a multi-word token has written out
};

}  // namespace

Column text_of_trees(const Column& trees, const TreeReading& reading) {
  auto text = std::make_shared<std::string>();
  std::vector<std::size_t> ends;
  Forest forest;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (reading.format == TreeReading::Format::Dependencies) {
      SentenceTexts(*text).read(trees[i]);
    } else {
      reading(trees[i], forest);
      append_words(forest, *text);
    }
    ends.push_back(text->size());
  }
  std::vector<std::string_view> segments;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    segments.push_back(trees.present(i) ? std::string_view(*text).substr(begin, ends[i] - begin)
                                        : Column::absent());
    begin = ends[i];
  }
  return {std::move(segments), std::move(text)};
}

}  // namespace understudy
