// BLEU of counted n-grams: smoothed precisions, brevity penalty, average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

// What an order without a match counts as. Chen & Cherry (2014), "A Systematic Comparison of Smoothing
// Techniques for Sentence-Level BLEU", number their methods; 1 to 3 are Floor, AddK and Exp.
enum class Smoothing : std::uint8_t {
  None,
  Floor,                   // a small count instead of no match
  AddK,                    // k more matches and k more n-grams at every order but the first (Lin & Och 2004)
  AddKEverywhere,          // the same at the first order too (Moses' sentence-bleu)
  Exp,                     // 1/2, 1/4, 1/8 ... match for the first, second, third order without one (mteval)
  LengthScaled,            // method 4, with NLTK's factor 2^i * K / ln(length) for the i-th such order
  Neighbours,              // method 5: the mean of an order's precision and its neighbours'
  LengthScaledNeighbours,  // method 7: 4, then 5
  Interpolated,            // method 6: from order 3 on, more n-grams, matched as the two lower orders predict
};

// The precision of an order that the hypothesis is too short for.
enum class EmptyOrder : std::uint8_t { Zero, One };

// The average of the precisions. Papineni et al. (2001), section 2.1.3, tried both.
enum class Average : std::uint8_t { Geometric, Arithmetic };

struct BleuOptions {
  unsigned max_order = 4;
  unsigned counted_orders = 4;  // at least max_order: some smoothings look one further
  Smoothing smoothing = Smoothing::Exp;
  double smooth_value = 0;
  std::vector<double> weights;  // one per order; none: all weigh the same
  Average average = Average::Geometric;
  bool effective_order = false;
  EmptyOrder empty_order = EmptyOrder::Zero;
  bool smooth_without_match = false;  // else a text without any match scores 0
  double brevity_steepness = 1;       // of the brevity penalty; 0: only an empty text has one
  double length_units = 1;            // that reference lengths are counted in, per word
  bool compensated_sums = false;      // sums carry their rounding errors along, as Python's from 3.12 on
};

// A row is hypothesis length, reference length, matches of order 1..M, totals of order 1..M (M:
// counted_orders).
class BleuFormula {
 public:
  explicit BleuFormula(BleuOptions options);

  std::size_t columns() const { return 2 + 2 * std::size_t{options_.counted_orders}; }
  std::size_t orders() const { return options_.max_order; }

  // The modified precisions p_1 ... p_N in percent, smoothed. There is room for M of them.
  void precisions(const double* row, double* precisions) const;
  // 1 for a text as long as its reference, e^(k(1 - r/c)) for a shorter one, 0 for no text at all, whatever
  // k.
  double brevity_penalty(const double* row) const;
  // The averages of p_1 ... p_n, n = 1 ... N.
  void averages(const double* precisions, const double* row, double* averages) const;
  // BLEU of given precisions, and of the lengths of the row.
  double combined(const double* precisions, const double* row) const;
  // BLEU of the row. There is room for M precisions.
  double score(const double* row, double* room) const {
    precisions(row, room);
    return combined(room, row);
  }

 private:
  void smoothed(const double* row, double* precisions) const;
  template <class Each>
  void running_averages(const double* precisions, const double* row, Each&& each) const;
  double summand(double precision) const;
  double average_of(double mean) const;
  bool beyond_the_text(unsigned order, const double* row) const;

  const BleuOptions options_;
};

}  // namespace understudy
