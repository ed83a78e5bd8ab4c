// Clipped matches of subtrees and of chains: the sufficient statistics of STM, DSTM and HWCM (Liu & Gildea
// 2005).
//
// As with n-grams, everything that can match gets a number, so that two things are equal exactly if their
// numbers are. A subtree's number follows from those of its label and of its children's subtrees, a chain's
// from those of the chain above and of its last word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/column.h"
#include "tree/segment_trees.h"

namespace understudy {

// A tree's part of depth n: a node with everything below it, cut to n levels; only where there are n levels.
// A chain of n: a path downwards of n nodes.
enum class TreePart : std::uint8_t { Subtree, Chain };

// How many levels of a node's part there are: a part of depth n is there if it is at least n.
inline const std::vector<std::uint32_t>& reach(const NumberedForest& forest, TreePart part) {
  return part == TreePart::Subtree ? forest.heights : forest.levels;
}

// Fills `next` with the numbers of the nodes' parts of depth n, from those of depth n - 1: joined(first,
// second) is the number of the part that two others make.
template <class Joined>
void number_deeper(const NumberedForest& forest, const std::vector<std::uint32_t>& numbers, TreePart part,
                   unsigned n, std::vector<std::uint32_t>& next, Joined&& joined) {
  next = forest.labels;
  if (part == TreePart::Subtree) {
    // A label, joined by its children's subtrees one by one: siblings come in order.
    for (std::size_t i = 0; i < forest.size(); ++i) {
      if (forest.is_root(i)) continue;
      std::uint32_t& parent = next[forest.parents[i]];
      parent = joined(parent, numbers[i]);
    }
  } else {
    for (std::size_t i = 0; i < forest.size(); ++i) {
      if (forest.levels[i] >= n) next[i] = joined(numbers[forest.parents[i]], forest.labels[i]);
    }
  }
}

struct TreeOptions {
  TreeReading reading;
  TreePart part = TreePart::Subtree;
  unsigned max_depth = 4;
  unsigned threads = 1;
};

// Numbers per segment, for the depths 1..D: the matches, how many the hypothesis has, and how many the
// reference has that has most.
inline std::size_t tree_match_columns(unsigned max_depth) { return 3 * std::size_t{max_depth}; }

// Fills rows [segments, tree_match_columns]; the first text that is no tree, if there is one.
std::optional<BadTree> tree_matches(const Column& hypotheses, const std::vector<Column>& references,
                                    const TreeOptions& options, std::int64_t* rows);

// The parts of one hypothesis that match, by their depth: as many as tree_matches counts, the first in the
// order of the nodes. A subtree is named by its top node, a chain by its last.
std::optional<BadTree> matching_nodes(std::string_view hypothesis,
                                      const std::vector<std::string_view>& references,
                                      const TreeOptions& options,
                                      std::vector<std::vector<std::uint32_t>>& nodes);

}  // namespace understudy
