// Matched, extra and missed parts of a hypothesis as features of a linear model: which n-grams, headword
// chains or subtrees, and how large a share of all of their order each is.
//
// matched: the clipped count (Papineni et al. 2002), divided by the number in the hypothesis; extra: what
// clipping leaves of the hypothesis, divided likewise; missed: how much more often a reference has a part
// than the hypothesis, divided by the number in that reference, as a mean over the references. The values of
// all matched parts of an order thus sum to its clipped precision, those of all missed ones to 1 - recall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "features/part_numbers.h"
#include "text/column.h"

namespace understudy {

inline constexpr std::size_t kFeatureKinds = 3;
enum class FeatureKind : std::uint8_t { Matched, Extra, Missed };

inline std::uint64_t feature_id(std::uint64_t part, FeatureKind kind) {
  return hash_of_pair(part, 1 + static_cast<std::uint64_t>(kind));
}

// The features of all segments: those of segment i are offsets[i] up to offsets[i + 1].
struct MatchFeatures {
  std::vector<std::int64_t> offsets;
  std::vector<std::uint64_t> ids;
  std::vector<double> values;
};

struct NamedFeature {
  std::uint64_t id;
  FeatureKind kind;
  unsigned order;
  std::string text;
};

// The numbers of the parts of one order.
struct Sides {
  std::vector<std::uint32_t> hypothesis;
  std::vector<std::vector<std::uint32_t>> references;
};

// The texts of one segment.
struct SegmentTexts {
  const Column& hypotheses;
  const std::vector<Column>& references;
  std::size_t segment;
};

// What parts texts have: n-grams, chains or subtrees.
class Parts {
 public:
  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  virtual ~Parts() = default;

  // Numbers the parts of order 1 of a segment, with as many references as it has.
  virtual void start(const SegmentTexts& texts, PartNumbers& numbers, Sides& sides) = 0;
  // Those of order n, after those of order n - 1.
  virtual void deepen(unsigned n, PartNumbers& numbers, Sides& sides) = 0;
  virtual std::string text_of(std::uint32_t number, const PartNumbers& numbers) const = 0;
};

using MakeParts = std::function<std::unique_ptr<Parts>()>;

// The features of every segment, in ascending order of their ids, so that sums of them depend on nothing
// else. Fills shares [segments, orders, kinds]: of all parts of an order together.
MatchFeatures features_of(const Column& hypotheses, const std::vector<Column>& references, unsigned orders,
                          unsigned threads, const MakeParts& make, double* shares);

// The parts behind these ids, which are in ascending order; each that occurs, once.
std::vector<NamedFeature> named_features(const Column& hypotheses, const std::vector<Column>& references,
                                         unsigned orders, const MakeParts& make,
                                         const std::vector<std::uint64_t>& ids);

// The labels of a part that is a path, from first to last.
std::string path_of(std::uint32_t number, const PartNumbers& numbers, std::string_view between);

}  // namespace understudy
