#include "features/tree_features.h"

#include <memory>
#include <utility>

namespace understudy {

namespace {

// The parts of a segment's trees, depth by depth. A chain's number is that of the chain above, joined by its
// last word; a subtree's is that of its label, joined by its children's subtrees one by one.
class TreeParts : public Parts {
 public:
  TreeParts(const TreeOptions& options, FirstBadTree& bad) : options_(options), bad_(&bad) {}

  void start(const SegmentTexts& texts, PartNumbers& numbers, Sides& sides) override {
    const auto start = [&](std::size_t) {
      return [&numbers](const Token& label) { return numbers.of_label(label); };
    };
    auto fault = texts_.read(texts.segment, texts.hypotheses, texts.references, options_.reading, start);
    references_.clear();
    sides = {};
    if (fault) {
      bad_->add(*std::move(fault));
      hypothesis_ = {};
      return;
    }
    hypothesis_ = {&texts_.hypothesis(), texts_.hypothesis().labels, {}};
    for (std::size_t r = 0; r < texts_.references(); ++r) {
      references_.push_back({&texts_.reference(r), texts_.reference(r).labels, {}});
    }
    collect(1, sides);
  }

  void deepen(unsigned depth, PartNumbers& numbers, Sides& sides) override {
    deepen(depth, hypothesis_, numbers);
    for (Numbered& reference : references_) deepen(depth, reference, numbers);
    collect(depth, sides);
  }

  std::string text_of(std::uint32_t number, const PartNumbers& numbers) const override {
    return options_.part == TreePart::Chain ? path_of(number, numbers, " → ") : brackets_of(number, numbers);
  }

 private:
  // The trees, and the number of every node's part of the current depth.
  struct Numbered {
    const NumberedForest* forest = nullptr;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> next;
  };

  void collect(unsigned depth, Sides& sides) const {
    collect(depth, hypothesis_, sides.hypothesis);
    sides.references.resize(references_.size());
    for (std::size_t r = 0; r < references_.size(); ++r) collect(depth, references_[r], sides.references[r]);
  }

  void collect(unsigned depth, const Numbered& trees, std::vector<std::uint32_t>& parts) const {
    parts.clear();
    if (trees.forest == nullptr) return;
    const std::vector<std::uint32_t>& reached = reach(*trees.forest, options_.part);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i] >= depth) parts.push_back(trees.numbers[i]);
    }
  }

  void deepen(unsigned depth, Numbered& trees, PartNumbers& numbers) const {
    if (trees.forest == nullptr) return;
    number_deeper(*trees.forest, trees.numbers, options_.part, depth, trees.next,
                  [&](std::uint32_t first, std::uint32_t second) { return numbers.joined(first, second); });
    std::swap(trees.numbers, trees.next);
  }

  // (NP (DT) (NN)): a part is a label, joined by subtrees, the last of them last.
  static std::string brackets_of(std::uint32_t number, const PartNumbers& numbers) {
    std::vector<std::uint32_t> children;
    for (; !numbers.is_label(number); number = numbers.first(number)) {
      children.push_back(numbers.second(number));
    }
    std::string text = "(";
    text += numbers.label(number);
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      text += ' ';
      text += brackets_of(*child, numbers);
    }
    return text + ")";
  }

  const TreeOptions options_;
  FirstBadTree* bad_;
  SegmentTrees texts_;
  Numbered hypothesis_;
  std::vector<Numbered> references_;
};

MakeParts parts_of(const TreeOptions& options, FirstBadTree& bad) {
  return [&options, &bad] { return std::make_unique<TreeParts>(options, bad); };
}

}  // namespace

MatchFeatures tree_features(const Column& hypotheses, const std::vector<Column>& references,
                            const TreeOptions& options, double* shares, std::optional<BadTree>& bad) {
  FirstBadTree first;
  MatchFeatures found = features_of(hypotheses, references, options.max_depth, options.threads,
                                    parts_of(options, first), shares);
  bad = first.found();
  return found;
}

std::vector<NamedFeature> named_tree_parts(const Column& hypotheses, const std::vector<Column>& references,
                                           const TreeOptions& options,
                                           const std::vector<std::uint64_t>& ids) {
  FirstBadTree first;
  return named_features(hypotheses, references, options.max_depth, parts_of(options, first), ids);
}

}  // namespace understudy
