#include "ngram/chrf_score.h"

namespace understudy {

double ChrfFormula::score(const double* row) const {
  if (!options_.mean_of_f_scores) {
    const auto [precision, recall] = precision_and_recall(row);
    return 100 * f_score(precision, recall, 0.0);
  }
  double sum = 0;
  for (unsigned n = 0; n < options_.orders; ++n) sum += f_score_of(n, row);
  return 100 * sum / options_.orders;
}

std::pair<double, double> ChrfFormula::precision_and_recall(const double* row) const {
  const double* const hypothesis = row;
  const double* const reference = hypothesis + options_.orders;
  const double* const matches = reference + options_.orders;
  double precisions = 0;
  double recalls = 0;
  unsigned effective = 0;
  for (unsigned n = 0; n < options_.orders; ++n) {
    if (!(hypothesis[n] > 0 && reference[n] > 0)) continue;
    precisions += matches[n] / hypothesis[n];
    recalls += matches[n] / reference[n];
    ++effective;
  }
  if (effective == 0) return {0.0, 0.0};
  return {precisions / effective, recalls / effective};
}

double ChrfFormula::f_score_of(unsigned order, const double* row) const {
  const double hypothesis = row[order];
  const double reference = row[options_.orders + order];
  const double matches = row[2 * options_.orders + order];
  return f_score(hypothesis > 0 ? matches / hypothesis : kChrfEpsilon,
                 reference > 0 ? matches / reference : kChrfEpsilon, kChrfEpsilon);
}

// In this order of operations, which decides the last digit and is sacreBLEU's.
double ChrfFormula::f_score(double precision, double recall, double otherwise) const {
  const double above = options_.weights * precision * recall;
  const double below = options_.recall_weight * precision + recall;
  return below > 0 ? above / below : otherwise;
}

}  // namespace understudy
