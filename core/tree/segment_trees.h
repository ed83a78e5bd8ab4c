// The trees of a segment and of its references as numbers: labels are compared once, everything else is made
// of their numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "text/column.h"
#include "text/token.h"
#include "tree/forest.h"

namespace understudy {

// How the text of a segment becomes trees.
struct TreeReading {
  enum class Format : std::uint8_t { Brackets, Dependencies };

  Format format = Format::Brackets;
  BracketOptions brackets;
  DependencyOptions dependencies;

  std::optional<TreeFault> operator()(std::string_view text, Forest& forest) const {
    return format == Format::Brackets ? read_brackets(text, brackets, forest)
                                      : read_dependencies(text, dependencies, forest);
  }
};

// A text that is no tree: which, and what is wrong with it.
struct BadTree {
  std::size_t segment;
  std::optional<std::size_t> reference;  // none: the hypothesis
  TreeFault fault;
};

// The first of them, whichever thread finds it.
class FirstBadTree {
 public:
  void add(BadTree bad) {
    const std::lock_guard<std::mutex> guard(lock_);
    if (!found_ || bad.segment < found_->segment) found_ = std::move(bad);
  }
  std::optional<BadTree> found() { return std::move(found_); }

 private:
  std::mutex lock_;
  std::optional<BadTree> found_;
};

struct NumberedForest {
  std::vector<std::uint32_t> labels;   // from 1
  std::vector<std::uint32_t> parents;  // as in Forest
  std::vector<std::uint32_t> heights;  // levels from a node down: 1 for a leaf
  std::vector<std::uint32_t> levels;   // levels from its root down to a node: 1 for the root

  std::size_t size() const { return labels.size(); }
  bool is_root(std::size_t node) const { return parents[node] == Forest::kNone; }

  // number_of(label) for every label.
  template <class NumberOf>
  void read(const Forest& forest, NumberOf&& number_of) {
    const std::size_t count = forest.nodes.size();
    labels.resize(count);
    parents.resize(count);
    levels.resize(count);
    heights.assign(count, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view label = forest.nodes[i].label;
      const char* const end = label.data() + label.size();
      labels[i] = number_of(Token::of(label.data(), end, end));
      parents[i] = forest.nodes[i].parent;
      levels[i] = is_root(i) ? 1 : levels[parents[i]] + 1;
    }
    for (std::size_t i = count; i-- > 0;) {
      if (!is_root(i)) heights[parents[i]] = std::max(heights[parents[i]], heights[i] + 1);
    }
  }
};

class SegmentTrees {
 public:
  // The trees read before are gone.
  std::optional<BadTree> read(std::size_t segment, const Column& hypotheses,
                              const std::vector<Column>& references, const TreeReading& reading) {
    return read(segment, hypotheses, references, reading, [this](std::size_t nodes) {
      vocabulary_.start(nodes);
      label_count_ = 0;
      return [this](const Token& label) {
        return vocabulary_.find_or_add(label, [this] { return ++label_count_; });
      };
    });
  }

  // The same with numbers of labels by the caller: start(nodes) makes what numbers those of so many nodes.
  template <class Start>
  std::optional<BadTree> read(std::size_t segment, const Column& hypotheses,
                              const std::vector<Column>& references, const TreeReading& reading,
                              Start&& start) {
    if (texts_.size() < references.size() + 1) {
      texts_.resize(references.size() + 1);
      forests_.resize(references.size() + 1);
    }
    if (auto fault = reading(hypotheses[segment], texts_[0])) return BadTree{segment, std::nullopt, *fault};
    present_ = 0;
    std::size_t nodes = texts_[0].nodes.size();
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!references[r].present(segment)) continue;
      Forest& text = texts_[++present_];
      if (auto fault = reading(references[r][segment], text)) return BadTree{segment, r, *fault};
      nodes += text.nodes.size();
    }
    auto number_of = start(nodes);
    for (std::size_t i = 0; i <= present_; ++i) forests_[i].read(texts_[i], number_of);
    return std::nullopt;
  }

  const NumberedForest& hypothesis() const { return forests_[0]; }
  std::size_t references() const { return present_; }
  const NumberedForest& reference(std::size_t i) const { return forests_[i + 1]; }
  std::uint32_t label_count() const { return label_count_; }

 private:
  std::vector<Forest> texts_;  // the hypothesis, then the references there are; labels lie in them
  std::vector<NumberedForest> forests_;
  std::size_t present_ = 0;
  Vocabulary vocabulary_;
  std::uint32_t label_count_ = 0;
};

}  // namespace understudy
