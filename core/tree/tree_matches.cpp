#include "tree/tree_matches.h"

#include <algorithm>
#include <utility>

#include "support/parallel.h"

namespace understudy {

namespace {

class TreeMatcher {
 public:
  explicit TreeMatcher(const TreeOptions& options) : options_(options) {}

  std::optional<BadTree> count(std::size_t segment, const Column& hypotheses,
                               const std::vector<Column>& references, std::int64_t* row) {
    const unsigned depths = options_.max_depth;
    std::fill_n(row, tree_match_columns(depths), 0);
    return each_depth(segment, hypotheses, references, [&](unsigned n, const Totals& totals) {
      row[depths + n - 1] = totals.in_hypothesis;
      row[2 * depths + n - 1] = totals.in_references;
      for (const Part& part : parts_) row[n - 1] += std::min(part.in_hypothesis, part.in_reference);
    });
  }

  // Of the only segment.
  std::optional<BadTree> mark(const Column& hypothesis, const std::vector<Column>& references,
                              std::vector<std::vector<std::uint32_t>>& nodes) {
    nodes.assign(options_.max_depth, {});
    return each_depth(0, hypothesis, references, [&](unsigned n, const Totals&) {
      each(hypothesis_, n, [&](std::uint32_t number, std::size_t node) {
        std::uint32_t& left = parts_[number].in_reference;
        if (left == 0) return;
        --left;
        nodes[n - 1].push_back(static_cast<std::uint32_t>(node));
      });
    });
  }

 private:
  struct Part {
    std::uint32_t in_hypothesis = 0;
    std::uint32_t in_reference = 0;  // the largest count in a single reference
    std::uint32_t in_current = 0;    // the count in the reference being read
    std::uint32_t current = 0;       // which reference that is
  };

  struct Totals {
    std::int64_t in_hypothesis;
    std::int64_t in_references;  // of the reference that has most
  };

  // The trees, and the number of every node's part of the current depth; 0: the hypothesis has no such part.
  struct Numbered {
    const NumberedForest* forest = nullptr;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> next;

    void start(const NumberedForest& trees) {
      forest = &trees;
      numbers = trees.labels;
    }
  };

  // Counts the parts of every depth n in turn, and calls visit(n, totals) then.
  template <class Visit>
  std::optional<BadTree> each_depth(std::size_t segment, const Column& hypotheses,
                                    const std::vector<Column>& references, Visit&& visit) {
    if (auto fault = texts_.read(segment, hypotheses, references, options_.reading)) return fault;
    hypothesis_.start(texts_.hypothesis());
    references_.resize(std::max(references_.size(), texts_.references()));
    for (std::size_t r = 0; r < texts_.references(); ++r) references_[r].start(texts_.reference(r));
    numbers_.start(hypothesis_.forest->size() * (options_.max_depth - 1));
    last_number_ = texts_.label_count();

    for (unsigned n = 1; n <= options_.max_depth; ++n) {
      if (n > 1) number_deeper(n);
      const Totals totals = count_parts(n);
      if (totals.in_hypothesis == 0 && totals.in_references == 0) break;  // nothing is deeper
      visit(n, totals);
    }
    return std::nullopt;
  }

  Totals count_parts(unsigned n) {
    parts_.assign(last_number_ + 1, Part{});
    Totals totals{};
    totals.in_hypothesis =
        each(hypothesis_, n, [this](std::uint32_t number, std::size_t) { ++parts_[number].in_hypothesis; });
    for (std::uint32_t r = 0; r < texts_.references(); ++r) {
      const std::int64_t found = each(references_[r], n, [this, r](std::uint32_t number, std::size_t) {
        Part& part = parts_[number];
        part.in_current = part.current == r ? part.in_current + 1 : 1;
        part.current = r;
        part.in_reference = std::max(part.in_reference, part.in_current);
      });
      totals.in_references = std::max(totals.in_references, found);
    }
    parts_[0] = Part{};  // what the hypothesis lacks
    return totals;
  }

  // Calls visit(number, node) for the parts of depth n, and says how many there are.
  template <class Visit>
  std::int64_t each(const Numbered& trees, unsigned n, Visit&& visit) const {
    const std::vector<std::uint32_t>& reached = reach(*trees.forest, options_.part);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i] < n) continue;
      visit(trees.numbers[i], i);
      ++count;
    }
    return count;
  }

  // From the parts of depth n - 1 to those of depth n.
  void number_deeper(unsigned n) {
    deepen(hypothesis_, n, [this](std::uint64_t pair) {
      return numbers_.find_or_add(pair, [this] { return ++last_number_; });
    });
    for (std::size_t r = 0; r < texts_.references(); ++r) {
      deepen(references_[r], n, [this](std::uint64_t pair) { return numbers_.find(pair); });
    }
  }

  template <class NumberOf>
  void deepen(Numbered& trees, unsigned n, NumberOf&& number_of) const {
    understudy::number_deeper(
        *trees.forest, trees.numbers, options_.part, n, trees.next,
        [&](std::uint32_t first, std::uint32_t second) {
          return first == 0 || second == 0 ? 0 : number_of(std::uint64_t{first} << 32 | second);
        });
    std::swap(trees.numbers, trees.next);
  }

  const TreeOptions options_;
  SegmentTrees texts_;
  Numbered hypothesis_;
  std::vector<Numbered> references_;
  NumberTable numbers_;  // of pairs of numbers
  std::uint32_t last_number_ = 0;
  std::vector<Part> parts_;  // by number
};

}  // namespace

std::optional<BadTree> tree_matches(const Column& hypotheses, const std::vector<Column>& references,
                                    const TreeOptions& options, std::int64_t* rows) {
  const std::size_t width = tree_match_columns(options.max_depth);
  FirstBadTree bad;
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, matcher = TreeMatcher(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        if (auto found = matcher.count(i, hypotheses, references, rows + i * width)) bad.add(*found);
      }
    };
  });
  return bad.found();
}

std::optional<BadTree> matching_nodes(std::string_view hypothesis,
                                      const std::vector<std::string_view>& references,
                                      const TreeOptions& options,
                                      std::vector<std::vector<std::uint32_t>>& nodes) {
  // The caller keeps the texts, so the columns need not.
  std::vector<Column> columns;
  for (const std::string_view reference : references) columns.push_back({{reference}, nullptr});
  return TreeMatcher(options).mark({{hypothesis}, nullptr}, columns, nodes);
}

}  // namespace understudy
