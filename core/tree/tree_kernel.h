// The tree kernel of Collins & Duffy (2001) as a cosine: the sufficient statistics of TKM and DTKM (Liu &
// Gildea 2005).
//
// The kernel counts all pairs of equal fragments of two trees, a fragment being a node with at least one
// whole production, grown by whole productions. There are exponentially many, but two nodes of the same
// production start C = decay * product over their children of (1 + C) pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/column.h"
#include "tree/segment_trees.h"

namespace understudy {

struct KernelOptions {
  TreeReading reading;
  double decay = 1;           // of a fragment, per production in it
  bool single_nodes = false;  // count single nodes as fragments, too
  unsigned threads = 1;
};

// Fills rows [segments, 2] with the largest cosine of a hypothesis with one of its references, as
// fixed_point.h has it; the first text that is no tree, if there is one.
std::optional<BadTree> tree_kernels(const Column& hypotheses, const std::vector<Column>& references,
                                    const KernelOptions& options, std::int64_t* rows);

// The kernel itself of two texts that are trees: mantissa * 2^exponent. It may be larger than any double.
struct KernelValue {
  double mantissa = 0;
  std::int64_t exponent = 0;
};
KernelValue tree_kernel(std::string_view first, std::string_view second, const KernelOptions& options);

}  // namespace understudy
