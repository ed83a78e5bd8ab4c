// The sum of floating-point numbers, rounded once: it does not depend on their order. As Python's math.fsum
// (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates").
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace understudy {

// Of finite numbers whose sum is finite.
class ExactSum {
 public:
  void start() { parts_.clear(); }

  void add(double value) {
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::fabs(value) < std::fabs(part)) std::swap(value, part);
      const double sum = value + part;
      const double lost = part - (sum - value);
      parts_[kept] = lost;
      kept += lost != 0 ? 1 : 0;
      value = sum;
    }
    parts_.resize(kept);
    parts_.push_back(value);
  }

  double value() const {
    std::size_t left = parts_.size();
    if (left == 0) return 0.0;
    double high = parts_[--left];
    double low = 0;
    while (left > 0 && low == 0) {
      const double before = high;
      const double part = parts_[--left];
      high = before + part;
      low = part - (high - before);
    }
    // Halfway between two numbers, what is left decides.
    if (left > 0 && ((low < 0 && parts_[left - 1] < 0) || (low > 0 && parts_[left - 1] > 0))) {
      const double twice = low * 2;
      const double other = high + twice;
      if (other - high == twice) high = other;
    }
    return high;
  }

 private:
  std::vector<double> parts_;  // that do not overlap, the smallest first
};

}  // namespace understudy
