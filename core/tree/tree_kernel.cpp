#include "tree/tree_kernel.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/fixed_point.h"
#include "support/parallel.h"

namespace understudy {

namespace {

// A number from 0 with an exponent of its own: kernels of long sentences are beyond any double. Within a
// double's range its sums and products have the digits of a double's.
struct Scaled {
  double mantissa = 0;  // 0, or from 1/2 to below 1
  std::int64_t exponent = 0;

  Scaled() = default;
  Scaled(double number) : Scaled(number, 0) {}  // NOLINT: a number is a number
  Scaled(double number, std::int64_t power) {
    int shift = 0;
    mantissa = std::frexp(number, &shift);
    exponent = number == 0 ? 0 : power + shift;
  }
  friend Scaled operator*(const Scaled& a, const Scaled& b) {
    return {a.mantissa * b.mantissa, a.exponent + b.exponent};
  }
  friend Scaled operator+(const Scaled& a, const Scaled& b) {
    if (a.mantissa == 0) return b;
    if (b.mantissa == 0) return a;
    const Scaled& large = a.exponent >= b.exponent ? a : b;
    const Scaled& small = a.exponent >= b.exponent ? b : a;
    // Beyond 60 bits the small one is no more than a rounding.
    const auto apart = static_cast<int>(std::min<std::int64_t>(large.exponent - small.exponent, 1000));
    return {large.mantissa + std::ldexp(small.mantissa, -apart), large.exponent};
  }
  Scaled& operator+=(const Scaled& other) { return *this = *this + other; }
  Scaled& operator*=(const Scaled& other) { return *this = *this * other; }
};

bool overflowed(double number) { return !std::isfinite(number); }

// a / sqrt(b * c). Exactly 1 where all three are equal, for the root of a square is exact.
double cosine(const Scaled& a, const Scaled& b, const Scaled& c) {
  Scaled square = b * c;
  if (square.exponent % 2 != 0) {
    square.mantissa *= 2;
    --square.exponent;
  }
  const std::int64_t exponent = a.exponent - square.exponent / 2;
  if (exponent < -1000) return 0;
  return std::min(1.0, std::ldexp(a.mantissa / std::sqrt(square.mantissa), static_cast<int>(exponent)));
}

// The trees with what the kernel needs to know of their nodes.
struct ProductionForest {
  const NumberedForest* forest = nullptr;
  std::vector<std::uint32_t> productions;    // a node's label with its children's, by number; 0: a leaf
  std::vector<std::uint32_t> children;       // of all nodes in turn
  std::vector<std::uint32_t> first_child;    // of each node, in `children`; one more at the end
  std::vector<std::uint32_t> by_production;  // the nodes that are no leaves, those of one production together
  std::vector<std::uint32_t> group;          // by production: where its nodes start; one more at the end
  std::vector<std::uint32_t> rank;           // of a node among those of its production

  template <class NumberOf>
  void start(const NumberedForest& trees, NumberOf&& number_of) {
    forest = &trees;
    const std::size_t count = trees.size();
    productions = trees.labels;
    first_child.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (trees.is_root(i)) continue;
      const std::uint32_t parent = trees.parents[i];
      productions[parent] = number_of(std::uint64_t{productions[parent]} << 32 | trees.labels[i]);
      ++first_child[parent + 1];
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (trees.heights[i] == 1) productions[i] = 0;
      first_child[i + 1] += first_child[i];
    }
    std::vector<std::uint32_t> next(first_child.begin(), first_child.end() - 1);
    children.resize(first_child[count]);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!trees.is_root(i)) children[next[trees.parents[i]]++] = i;
    }
  }

  void group_productions(std::uint32_t last_production) {
    group.assign(std::size_t{last_production} + 2, 0);
    for (const std::uint32_t production : productions) ++group[production + 1];
    group[1] = 0;  // leaves have none
    for (std::size_t p = 1; p < group.size(); ++p) group[p] += group[p - 1];
    std::vector<std::uint32_t> next = group;
    by_production.resize(group.back());
    rank.assign(productions.size(), 0);
    for (std::uint32_t i = 0; i < productions.size(); ++i) {
      const std::uint32_t production = productions[i];
      if (production == 0) continue;
      rank[i] = next[production] - group[production];
      by_production[next[production]++] = i;
    }
  }

  std::size_t size_of_group(std::uint32_t production) const {
    return group[production + 1] - group[production];
  }
  bool same_trees(const ProductionForest& other) const {
    return forest->labels == other.forest->labels && forest->parents == other.forest->parents;
  }
};

class Kernel {
 public:
  explicit Kernel(const KernelOptions& options) : options_(options) {}

  std::optional<BadTree> count(std::size_t segment, const Column& hypotheses,
                               const std::vector<Column>& references, std::int64_t* row) {
    double best = 0;
    if (auto fault = read(segment, hypotheses, references)) return fault;
    const Scaled own = of_pair(forests_[0], forests_[0]);
    for (std::size_t r = 1; r <= texts_.references(); ++r) {
      const Scaled other = of_pair(forests_[r], forests_[r]);
      if (own.mantissa == 0 || other.mantissa == 0) {  // no fragments at all, as in a tree of one node
        const bool same = forests_[0].forest->size() != 0 && forests_[0].same_trees(forests_[r]);
        best = std::max(best, same ? 1.0 : 0.0);
      } else {
        best = std::max(best, cosine(of_pair(forests_[0], forests_[r]), own, other));
      }
    }
    split_fraction(best, row);
    return std::nullopt;
  }

  std::optional<BadTree> read(std::size_t segment, const Column& hypotheses,
                              const std::vector<Column>& references) {
    if (auto fault = texts_.read(segment, hypotheses, references, options_.reading)) return fault;
    forests_.resize(std::max(forests_.size(), texts_.references() + 1));
    std::size_t nodes = texts_.hypothesis().size();
    for (std::size_t r = 0; r < texts_.references(); ++r) nodes += texts_.reference(r).size();
    numbers_.start(nodes);
    std::uint32_t last = texts_.label_count();
    const auto number_of = [&](std::uint64_t pair) {
      return numbers_.find_or_add(pair, [&last] { return ++last; });
    };
    forests_[0].start(texts_.hypothesis(), number_of);
    for (std::size_t r = 0; r < texts_.references(); ++r) {
      forests_[r + 1].start(texts_.reference(r), number_of);
    }
    for (std::size_t r = 0; r <= texts_.references(); ++r) forests_[r].group_productions(last);
    return std::nullopt;
  }

  Scaled of_hypothesis_and_reference() { return of_pair(forests_[0], forests_[1]); }

 private:
  Scaled of_pair(const ProductionForest& a, const ProductionForest& b) {
    const double number = sum_of_pairs(a, b, doubles_);
    return overflowed(number) ? sum_of_pairs(a, b, scaled_) : Scaled(number);
  }

  // `values` holds C of every two nodes of the same production: a row for each node of a, from its offset on.
  // A node comes after its children, which stand behind it.
  template <class Number>
  Number sum_of_pairs(const ProductionForest& a, const ProductionForest& b, std::vector<Number>& values) {
    const std::size_t count = a.forest->size();
    offsets_.resize(count);
    std::size_t room = 0;
    for (std::size_t i = 0; i < count; ++i) {
      offsets_[i] = room;
      if (a.productions[i] != 0) room += b.size_of_group(a.productions[i]);
    }
    if (values.size() < room) values.resize(room);
    Number sum = 0;
    for (std::size_t i = count; i-- > 0;) {
      const std::uint32_t production = a.productions[i];
      if (production == 0) continue;
      const std::uint32_t* const own_children = a.children.data() + a.first_child[i];
      const std::size_t degree = a.first_child[i + 1] - a.first_child[i];
      for (std::size_t k = 0; k < b.size_of_group(production); ++k) {
        const std::uint32_t j = b.by_production[b.group[production] + k];
        const std::uint32_t* const other_children = b.children.data() + b.first_child[j];
        Number value = options_.decay;
        for (std::size_t c = 0; c < degree; ++c) {
          const std::uint32_t x = own_children[c];
          const std::uint32_t y = other_children[c];
          if (a.productions[x] == 0 || a.productions[x] != b.productions[y]) continue;
          value *= Number(1) + values[offsets_[x] + b.rank[y]];
        }
        values[offsets_[i] + k] = value;
        sum += value;
      }
    }
    if (options_.single_nodes) sum += Number(equal_nodes(*a.forest, *b.forest));
    return sum;
  }

  // How many pairs of nodes have the same label.
  double equal_nodes(const NumberedForest& a, const NumberedForest& b) {
    label_counts_.assign(std::size_t{texts_.label_count()} + 1, 0);
    for (const std::uint32_t label : a.labels) ++label_counts_[label];
    double pairs = 0;
    for (const std::uint32_t label : b.labels) pairs += label_counts_[label];
    return pairs;
  }

  const KernelOptions options_;
  SegmentTrees texts_;
  std::vector<ProductionForest> forests_;  // the hypothesis, then the references
  NumberTable numbers_;                    // of productions, see ProductionForest::start
  std::vector<std::size_t> offsets_;
  std::vector<double> doubles_;
  std::vector<Scaled> scaled_;
  std::vector<std::uint32_t> label_counts_;
};

}  // namespace

std::optional<BadTree> tree_kernels(const Column& hypotheses, const std::vector<Column>& references,
                                    const KernelOptions& options, std::int64_t* rows) {
  FirstBadTree bad;
  constexpr std::size_t kBlock = 32;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, kernel = Kernel(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        if (auto found = kernel.count(i, hypotheses, references, rows + 2 * i)) bad.add(*found);
      }
    };
  });
  return bad.found();
}

KernelValue tree_kernel(std::string_view first, std::string_view second, const KernelOptions& options) {
  Kernel kernel(options);
  const Column hypotheses({first}, nullptr);
  const std::vector<Column> references = {Column({second}, nullptr)};
  if (auto bad = kernel.read(0, hypotheses, references)) throw std::invalid_argument(bad->fault.what);
  const Scaled value = kernel.of_hypothesis_and_reference();
  return {value.mantissa, value.exponent};
}

}  // namespace understudy
