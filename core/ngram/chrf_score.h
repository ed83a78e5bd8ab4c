// chrF of counted n-grams: the F-score of shared characters and words.
#pragma once

#include <cstddef>
#include <utility>

namespace understudy {

inline constexpr double kChrfEpsilon = 1e-16;  // chrF++.py's stand-in for a share of nothing

struct ChrfFormulaOptions {
  unsigned orders = 6;            // of characters and words together
  double recall_weight = 4;       // beta^2
  double weights = 5;             // 1 + beta^2
  bool mean_of_f_scores = false;  // of all orders; else the F-score of mean precision and mean recall
};

// A row is the n-grams of the hypothesis, those of the reference, those that match; each of order 1..N.
class ChrfFormula {
 public:
  explicit ChrfFormula(const ChrfFormulaOptions& options) : options_(options) {}

  std::size_t columns() const { return 3 * std::size_t{options_.orders}; }
  std::size_t orders() const { return options_.orders; }

  // In percent.
  double score(const double* row) const;
  // chrP and chrR: the means over the orders that both texts have n-grams of.
  std::pair<double, double> precision_and_recall(const double* row) const;
  // The F-score of an order, from 0 on; next to nothing where a text lacks n-grams.
  double f_score_of(unsigned order, const double* row) const;

 private:
  double f_score(double precision, double recall, double otherwise) const;

  const ChrfFormulaOptions options_;
};

}  // namespace understudy
