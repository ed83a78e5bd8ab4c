// What is counted in trees, and trees as Python sees them.
#include "bindings/bindings.h"
#include "bindings/tree_arguments.h"
#include "tree/tree_kernel.h"
#include "tree/tree_matches.h"
#include "tree/tree_text.h"

namespace understudy {
namespace {

NodeKind node_named(std::string_view name) {
  if (name == "word") return NodeKind::Word;
  if (name == "lemma") return NodeKind::Lemma;
  if (name == "tag") return NodeKind::Tag;
  if (name == "coarse-tag") return NodeKind::CoarseTag;
  if (name == "relation") return NodeKind::Relation;
  throw nb::value_error("no such kind of node");
}

TreeReading brackets(std::string_view tags, bool punctuation) {
  TreeReading reading;
  reading.format = TreeReading::Format::Brackets;
  if (tags != "fine" && tags != "coarse") throw nb::value_error("no such tags");
  reading.brackets = {tags == "coarse" ? Tags::Coarse : Tags::Fine, punctuation};
  return reading;
}

TreeReading dependencies(std::string_view node, std::string_view letter_case, bool punctuation) {
  TreeReading reading;
  reading.format = TreeReading::Format::Dependencies;
  reading.dependencies = {node_named(node), case_named(letter_case), punctuation};
  return reading;
}

// Fills `rows`, which the caller has made.
nb::object count_tree_matches(const Column& hypotheses, const std::vector<const Column*>& references,
                              const Rows& rows, const TreeReading& reading, std::string_view part,
                              unsigned max_depth, unsigned threads) {
  if (max_depth < 1) throw nb::value_error("max_depth must be at least 1");
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != tree_match_columns(max_depth)) {
    throw nb::value_error("rows of the wrong shape");
  }
  const TreeOptions options{reading, part_named(part), max_depth, threads};
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  const std::optional<BadTree> bad = [&] {
    nb::gil_scoped_release unlocked;
    return tree_matches(hypotheses, reference_columns, options, rows.data());
  }();
  return described(bad);
}

// The nodes whose parts match, by depth; or what `described` says of a text that is no tree.
nb::object nodes_that_match(std::string_view hypothesis, const std::vector<std::string_view>& references,
                            const TreeReading& reading, std::string_view part, unsigned max_depth) {
  if (max_depth < 1) throw nb::value_error("max_depth must be at least 1");
  std::vector<std::vector<std::uint32_t>> nodes;
  const TreeOptions options{reading, part_named(part), max_depth, 1};
  const std::optional<BadTree> bad = matching_nodes(hypothesis, references, options, nodes);
  return bad ? described(bad) : nb::cast(nodes);
}

nb::object count_tree_kernels(const Column& hypotheses, const std::vector<const Column*>& references,
                              const Rows& rows, const TreeReading& reading, double decay, bool single_nodes,
                              unsigned threads) {
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != 2) {
    throw nb::value_error("rows of the wrong shape");
  }
  const KernelOptions options{reading, decay, single_nodes, threads};
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  const std::optional<BadTree> bad = [&] {
    nb::gil_scoped_release unlocked;
    return tree_kernels(hypotheses, reference_columns, options, rows.data());
  }();
  return described(bad);
}

nb::tuple kernel_of(std::string_view first, std::string_view second, const TreeReading& reading, double decay,
                    bool single_nodes) {
  const KernelValue value = tree_kernel(first, second, {reading, decay, single_nodes, 1});
  return nb::make_tuple(value.mantissa, value.exponent);
}

// The nodes of a text's trees: label, word (None where there is none) and parent (-1: a root); or the offset
// and what is wrong there.
nb::object nodes_of(std::string_view text, const TreeReading& reading) {
  Forest forest;
  if (const std::optional<TreeFault> fault = reading(text, forest)) {
    return nb::make_tuple(fault->offset, fault->what);
  }
  nb::list nodes;
  for (const Forest::Node& node : forest.nodes) {
    const nb::object word =
        node.has_word ? nb::object(nb::str(node.word.data(), node.word.size())) : nb::none();
    const std::int64_t parent = node.parent == Forest::kNone ? -1 : std::int64_t{node.parent};
    nodes.append(nb::make_tuple(nb::str(node.label.data(), node.label.size()), word, parent));
  }
  return nodes;
}

// Where the word of every node stands in the text: the offset, -1 for a node without a word.
nb::object places_of(std::string_view text, const TreeReading& reading) {
  Forest forest;
  if (const std::optional<TreeFault> fault = reading(text, forest)) {
    return nb::make_tuple(fault->offset, fault->what);
  }
  std::vector<std::int64_t> places;
  for (const Forest::Node& node : forest.nodes) {
    places.push_back(node.has_word ? node.word.data() - text.data() : -1);
  }
  return nb::cast(places);
}

// The first text of a column that is no tree, as `described`.
nb::object check_trees(const Column& column, const TreeReading& reading) {
  const std::optional<BadTree> bad = [&]() -> std::optional<BadTree> {
    nb::gil_scoped_release unlocked;
    Forest forest;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column.present(i)) continue;
      if (const std::optional<TreeFault> fault = reading(column[i], forest)) {
        return BadTree{i, std::nullopt, *fault};
      }
    }
    return std::nullopt;
  }();
  return described(bad);
}

Column text_of_column(const Column& trees, const TreeReading& reading) {
  nb::gil_scoped_release unlocked;
  return text_of_trees(trees, reading);
}

}  // namespace

void bind_trees(nb::module_& module) {
  nb::class_<TreeReading>(module, "TreeReading", "How the text of a segment becomes trees.")
      .def_static("brackets", &brackets, nb::kw_only(), "tags"_a = "fine", "punctuation"_a = true)
      .def_static("dependencies", &dependencies, nb::kw_only(), "node"_a = "word", "letter_case"_a = "keep",
                  "punctuation"_a = true);
  module.def("count_tree_matches", &count_tree_matches, "hypotheses"_a, "references"_a, filled("rows"),
             nb::kw_only(), "reading"_a, "part"_a, "max_depth"_a, "threads"_a);
  module.def("matching_tree_nodes", &nodes_that_match, "hypothesis"_a, "references"_a, nb::kw_only(),
             "reading"_a, "part"_a, "max_depth"_a);
  module.def("count_tree_kernels", &count_tree_kernels, "hypotheses"_a, "references"_a, filled("rows"),
             nb::kw_only(), "reading"_a, "decay"_a, "single_nodes"_a, "threads"_a);
  module.def("tree_kernel", &kernel_of, "first"_a, "second"_a, nb::kw_only(), "reading"_a, "decay"_a = 1.0,
             "single_nodes"_a = false);
  module.def("tree_nodes", &nodes_of, "text"_a, "reading"_a);
  module.def("tree_word_places", &places_of, "text"_a, "reading"_a);
  module.def("is_punctuation_tag", &is_punctuation_tag, "tag"_a);
  module.def("coarse_tag", &coarse_tag, "tag"_a);
  module.def("check_trees", &check_trees, "column"_a, "reading"_a);
  module.def("text_of_trees", &text_of_column, "column"_a, "reading"_a);
}

}  // namespace understudy
