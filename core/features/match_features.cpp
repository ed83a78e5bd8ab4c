#include "features/match_features.h"

#include <algorithm>
#include <set>
#include <utility>

#include "support/parallel.h"

namespace understudy {

namespace {

struct Found {
  unsigned order;
  std::uint32_t number;
  FeatureKind kind;
  double value;
};

// The parts of one segment, order by order.
class SegmentFeatures {
 public:
  explicit SegmentFeatures(const MakeParts& make) : parts_(make()) {}

  // Valid until the next segment.
  const std::vector<Found>& of(const SegmentTexts& texts, unsigned orders, double* shares) {
    std::fill_n(shares, orders * kFeatureKinds, 0.0);
    found_.clear();
    numbers_.start();
    parts_->start(texts, numbers_, sides_);
    for (unsigned order = 1; order <= orders; ++order) {
      if (order > 1) parts_->deepen(order, numbers_, sides_);
      if (nothing_left()) break;
      compare(order, shares + (order - 1) * kFeatureKinds);
    }
    return found_;
  }

  std::uint64_t id(const Found& found) const { return feature_id(numbers_.hash(found.number), found.kind); }
  std::string text(const Found& found) const { return parts_->text_of(found.number, numbers_); }

 private:
  bool nothing_left() const {
    const auto& others = sides_.references;
    return sides_.hypothesis.empty() &&
           std::all_of(others.begin(), others.end(), [](const auto& side) { return side.empty(); });
  }

  void compare(unsigned order, double* shares) {
    in_hypothesis_.assign(numbers_.size(), 0);
    in_most_.assign(numbers_.size(), 0);
    missed_.resize(std::max(missed_.size(), numbers_.size()));
    missing_.clear();
    for (const std::uint32_t number : sides_.hypothesis) ++in_hypothesis_[number];
    for (const std::vector<std::uint32_t>& reference : sides_.references) count_reference(reference);

    std::int64_t matches = 0;
    const auto total = static_cast<double>(sides_.hypothesis.size());
    for (const std::uint32_t number : sides_.hypothesis) {
      const std::uint32_t count = std::exchange(in_hypothesis_[number], 0);  // 0: counted already
      const std::uint32_t matched = std::min(count, in_most_[number]);
      matches += matched;
      if (matched > 0) found_.push_back({order, number, FeatureKind::Matched, matched / total});
      if (count > matched) found_.push_back({order, number, FeatureKind::Extra, (count - matched) / total});
    }
    for (const std::uint32_t number : lacking_) {
      found_.push_back({order, number, FeatureKind::Missed, mean(missed_[number])});
      missed_[number].clear();
    }
    lacking_.clear();
    if (!sides_.hypothesis.empty()) {
      shares[0] = static_cast<double>(matches) / total;
      shares[1] = (total - static_cast<double>(matches)) / total;
    }
    shares[2] = mean(missing_);
  }

  void count_reference(const std::vector<std::uint32_t>& reference) {
    in_current_.assign(numbers_.size(), 0);
    for (const std::uint32_t number : reference) ++in_current_[number];
    std::int64_t missing = 0;
    const auto total = static_cast<double>(reference.size());
    for (const std::uint32_t number : reference) {
      const std::uint32_t count = std::exchange(in_current_[number], 0);  // 0: counted already
      in_most_[number] = std::max(in_most_[number], count);
      if (count <= in_hypothesis_[number]) continue;
      const std::uint32_t more = count - in_hypothesis_[number];
      missing += more;
      if (missed_[number].empty()) lacking_.push_back(number);
      missed_[number].push_back(more / total);
    }
    if (missing > 0) missing_.push_back(static_cast<double>(missing) / total);
  }

  // Over the references, in ascending order, so that it does not depend on theirs.
  double mean(std::vector<double>& values) const {
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(sides_.references.size());
  }

  std::unique_ptr<Parts> parts_;
  PartNumbers numbers_;
  Sides sides_;
  std::vector<Found> found_;

  // By number.
  std::vector<std::uint32_t> in_hypothesis_;
  std::vector<std::uint32_t> in_most_;  // the largest count in a single reference
  std::vector<std::uint32_t> in_current_;
  std::vector<std::vector<double>> missed_;  // the shares of the references that have more of it

  std::vector<std::uint32_t> lacking_;  // the numbers that have such shares
  std::vector<double> missing_;         // the shares of all parts together
};

using Feature = std::pair<std::uint64_t, double>;  // the id and the value

}  // namespace

MatchFeatures features_of(const Column& hypotheses, const std::vector<Column>& references, unsigned orders,
                          unsigned threads, const MakeParts& make, double* shares) {
  std::vector<std::vector<Feature>> segments(hypotheses.size());
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), threads, kBlock, [&] {
    return [&, features = SegmentFeatures(make)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        double* const of_segment = shares + i * orders * kFeatureKinds;
        for (const Found& found : features.of({hypotheses, references, i}, orders, of_segment)) {
          segments[i].emplace_back(features.id(found), found.value);
        }
        std::sort(segments[i].begin(), segments[i].end());
      }
    };
  });
  MatchFeatures all;
  all.offsets.push_back(0);
  for (std::vector<Feature>& segment : segments) {
    for (const auto& [id, value] : segment) {
      all.ids.push_back(id);
      all.values.push_back(value);
    }
    all.offsets.push_back(static_cast<std::int64_t>(all.ids.size()));
    segment = {};
  }
  return all;
}

std::vector<NamedFeature> named_features(const Column& hypotheses, const std::vector<Column>& references,
                                         unsigned orders, const MakeParts& make,
                                         const std::vector<std::uint64_t>& ids) {
  std::vector<NamedFeature> named;
  std::set<std::uint64_t> done;
  SegmentFeatures features(make);
  std::vector<double> shares(orders * kFeatureKinds);
  for (std::size_t i = 0; i < hypotheses.size() && done.size() < ids.size(); ++i) {
    for (const Found& found : features.of({hypotheses, references, i}, orders, shares.data())) {
      const std::uint64_t id = features.id(found);
      if (!std::binary_search(ids.begin(), ids.end(), id) || !done.insert(id).second) continue;
      named.push_back({id, found.kind, found.order, features.text(found)});
    }
  }
  return named;
}

std::string path_of(std::uint32_t number, const PartNumbers& numbers, std::string_view between) {
  std::vector<std::string_view> labels;
  for (; !numbers.is_label(number); number = numbers.first(number)) {
    labels.push_back(numbers.label(numbers.second(number)));
  }
  std::string text(numbers.label(number));
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    text += between;
    text += *label;
  }
  return text;
}

}  // namespace understudy
