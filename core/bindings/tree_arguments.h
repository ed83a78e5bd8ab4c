// What bindings of trees share.
#pragma once

#include <optional>
#include <string_view>

#include "bindings/bindings.h"
#include "tree/tree_matches.h"

namespace understudy {

inline TreePart part_named(std::string_view name) {
  if (name == "subtree") return TreePart::Subtree;
  if (name == "chain") return TreePart::Chain;
  throw nb::value_error("no such part of a tree");
}

// None; or the segment, the reference (None: the hypothesis), the offset and what is wrong there.
inline nb::object described(const std::optional<BadTree>& bad) {
  if (!bad) return nb::none();
  return nb::make_tuple(bad->segment, bad->reference, bad->fault.offset, bad->fault.what);
}

}  // namespace understudy
