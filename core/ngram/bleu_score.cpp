#include "ngram/bleu_score.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace understudy {

namespace {

// exp of any mean with it is 0, however little its order weighs; and 0 times it is 0.
constexpr double kLogOfZero = -1e300;

// 100 * matches first: the order of operations decides the last digit, and is sacreBLEU's.
double percent(double matches, double total) { return total > 0 ? 100.0 * matches / total : 0.0; }

// The precisions; the i-th order that has n-grams and no match counts as 1 / (2^i * factor) of one.
void halved_without_match(const double* matches, const double* totals, unsigned orders, double factor,
                          double* precisions) {
  double divisor = factor;
  for (unsigned n = 0; n < orders; ++n) {
    if (matches[n] == 0 && totals[n] > 0) {
      divisor *= 2;
      precisions[n] = 100.0 / (divisor * totals[n]);
    } else {
      precisions[n] = percent(matches[n], totals[n]);
    }
  }
}

void length_scaled(const double* matches, const double* totals, unsigned orders, double value, double length,
                   double* precisions) {
  if (length > 1) {
    halved_without_match(matches, totals, orders, value / std::log(std::max(length, 2.0)), precisions);
  } else {
    for (unsigned n = 0; n < orders; ++n) precisions[n] = percent(matches[n], totals[n]);
  }
}

// N + 1 precisions to N, each the mean of three, the lower one averaged already; before the first stands the
// first plus one.
void average_neighbours(double* precisions, unsigned orders) {
  double lower = precisions[0] + 100.0;
  for (unsigned n = 0; n < orders; ++n) {
    lower = (lower + precisions[n] + precisions[n + 1]) / 3;
    precisions[n] = lower;
  }
}

// The sum of the values so far, digit for digit as Python's own: before 3.12 one addition after the other,
// from then on with the rounding errors (Neumaier).
class RunningSum {
 public:
  explicit RunningSum(bool compensated) : compensated_(compensated) {}

  double add(double value) {
    const double after = total_ + value;
    if (compensated_) {
      lost_ += std::fabs(total_) >= std::fabs(value) ? (total_ - after) + value : (value - after) + total_;
    }
    total_ = after;
    return total_ + lost_;
  }

 private:
  const bool compensated_;
  double total_ = 0;
  double lost_ = 0;
};

}  // namespace

BleuFormula::BleuFormula(BleuOptions options) : options_(std::move(options)) {
  if (options_.max_order < 1 || options_.counted_orders < options_.max_order) {
    throw std::invalid_argument("orders that do not fit");
  }
  if (!options_.weights.empty() && options_.weights.size() != options_.max_order) {
    throw std::invalid_argument("one weight per order");
  }
  if (!(options_.brevity_steepness >= 0) || std::isinf(options_.brevity_steepness)) {
    throw std::invalid_argument("a brevity penalty that rewards, or is infinitely steep");
  }
  const bool looks_further =
      options_.smoothing == Smoothing::Neighbours || options_.smoothing == Smoothing::LengthScaledNeighbours;
  if (looks_further && options_.counted_orders == options_.max_order) {
    throw std::invalid_argument("the smoothing looks one order further");
  }
}

void BleuFormula::precisions(const double* row, double* precisions) const {
  const double* const matches = row + 2;
  const double* const totals = matches + options_.counted_orders;
  if (!options_.smooth_without_match && !(matches[0] > 0)) {  // no word matches, so nothing does
    std::fill_n(precisions, options_.max_order, 0.0);
    return;
  }
  smoothed(row, precisions);
  // Except for a text without a single word, which matches nothing (mteval's BP is 0 there).
  if (options_.empty_order == EmptyOrder::One && row[0] > 0) {
    for (unsigned n = 0; n < options_.max_order; ++n) {
      if (totals[n] == 0) precisions[n] = 100.0;
    }
  }
}

void BleuFormula::smoothed(const double* row, double* precisions) const {
  const double length = row[0];
  const unsigned counted = options_.counted_orders;
  const double* const matches = row + 2;
  const double* const totals = matches + counted;
  const double value = options_.smooth_value;
  switch (options_.smoothing) {
    case Smoothing::None:
      for (unsigned n = 0; n < counted; ++n) precisions[n] = percent(matches[n], totals[n]);
      break;
    case Smoothing::Floor:
      for (unsigned n = 0; n < counted; ++n) {
        precisions[n] = percent(matches[n] == 0 ? value : matches[n], totals[n]);
      }
      break;
    case Smoothing::AddK:
    case Smoothing::AddKEverywhere:
      for (unsigned n = 0; n < counted; ++n) {
        const double added = n == 0 && options_.smoothing == Smoothing::AddK ? 0.0 : value;
        precisions[n] = percent(matches[n] + added, totals[n] + added);
      }
      break;
    case Smoothing::Exp:
      halved_without_match(matches, totals, counted, 1.0, precisions);
      break;
    case Smoothing::LengthScaled:
      length_scaled(matches, totals, counted, value, length, precisions);
      // ln(1) gives a single word no share. NLTK drops such orders from the sum of logarithms: they cost
      // nothing.
      for (unsigned n = 1; n < counted; ++n) {
        if (matches[n] == 0 && totals[n] > 0 && length <= 1) precisions[n] = 100.0;
      }
      break;
    case Smoothing::Neighbours:
      for (unsigned n = 0; n < counted; ++n) precisions[n] = percent(matches[n], totals[n]);
      average_neighbours(precisions, counted - 1);
      break;
    case Smoothing::LengthScaledNeighbours:
      // The order beyond the last is taken as it is.
      length_scaled(matches, totals, counted - 1, value, length, precisions);
      precisions[counted - 1] = percent(matches[counted - 1], totals[counted - 1]);
      average_neighbours(precisions, counted - 1);
      break;
    case Smoothing::Interpolated:
      for (unsigned n = 0; n < counted; ++n) precisions[n] = percent(matches[n], totals[n]) / 100.0;
      for (unsigned n = 2; n < counted; ++n) {
        const double before = precisions[n - 2];
        const double last = precisions[n - 1];
        const double predicted = before > 0 ? last * last / before : 0.0;
        precisions[n] = (matches[n] + value * predicted) / (totals[n] + value);
      }
      for (unsigned n = 0; n < counted; ++n) precisions[n] *= 100.0;
      break;
  }
}

double BleuFormula::brevity_penalty(const double* row) const {
  // r/0 is infinite, and 0/0 is no reason for a penalty: fmin takes the number beside what is none.
  const double shortfall = std::fmin(1.0 - row[1] / options_.length_units / row[0], 0.0);
  // 0 times infinity would be no number.
  return std::isinf(shortfall) ? 0.0 : std::exp(options_.brevity_steepness * shortfall);
}

void BleuFormula::averages(const double* precisions, const double* row, double* averages) const {
  running_averages(precisions, row,
                   [this, averages](unsigned n, double mean) { averages[n] = average_of(mean); });
}

double BleuFormula::combined(const double* precisions, const double* row) const {
  double last = 0;
  running_averages(precisions, row, [&last](unsigned, double mean) { last = mean; });
  return brevity_penalty(row) * average_of(last);
}

// Of each number of orders, the mean of what the average adds up.
template <class Each>
void BleuFormula::running_averages(const double* precisions, const double* row, Each&& each) const {
  RunningSum sum(options_.compensated_sums);
  double share = 0;  // of the weights
  for (unsigned n = 0; n < options_.max_order; ++n) {
    const bool left_out = options_.effective_order && beyond_the_text(n, row);
    const double weight = left_out ? 0.0 : options_.weights.empty() ? 1.0 : options_.weights[n];
    share += weight;
    const double total = sum.add(weight * summand(precisions[n]));
    each(n, share > 0 ? total / share : summand(0));  // of orders without any weight there is no mean
  }
}

double BleuFormula::summand(double precision) const {
  if (options_.average == Average::Arithmetic) return precision;
  return precision > 0 ? std::log(precision) : kLogOfZero;
}

double BleuFormula::average_of(double mean) const {
  return options_.average == Average::Arithmetic ? mean : std::exp(mean);
}

// Whether the text has no n-grams of an order. The first always counts: an empty text is no match.
bool BleuFormula::beyond_the_text(unsigned order, const double* row) const {
  const bool adds = options_.smoothing == Smoothing::AddK || options_.smoothing == Smoothing::AddKEverywhere;
  const double total = row[2 + options_.counted_orders + order] + (adds ? options_.smooth_value : 0.0);
  return order > 0 && total == 0;
}

}  // namespace understudy
