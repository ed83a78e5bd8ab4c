#include "ngram/weighted_lcs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "edit/too_long.h"
#include "support/parallel.h"
#include "text/numbered_pair.h"
#include "text/tokens.h"

namespace understudy {

namespace {

// The table of Lin's section 4: c, the weight of what the first i words of the reference and the first j of
// the hypothesis have in common, and l, the length of the run that ends there. Sums are made in the order of
// ROUGE-1.5.5: by their last digits it is decided which of two ways weighs more.
class WeightedSubsequence {
 public:
  WeightedSubsequence(double weight, bool runs_of_reference)
      : weight_(weight), runs_of_reference_(runs_of_reference) {}

  double operator()(const std::vector<std::uint32_t>& hypothesis,
                    const std::vector<std::uint32_t>& reference) {
    const std::size_t columns = hypothesis.size();
    if (runs_of_reference_) {
      refuse_if_too_long(columns * reference.size() * sizeof(Way), columns, reference.size());
      ways_.resize(columns * reference.size());
    }
    while (weights_.size() < std::min(columns, reference.size()) + 2) {
      weights_.push_back(std::pow(static_cast<double>(weights_.size()), weight_));
    }
    before_.assign(columns + 1, Cell{});
    now_.assign(columns + 1, Cell{});
    for (std::size_t i = 0; i < reference.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const Way way = fill(reference[i] == hypothesis[j], j);
        if (runs_of_reference_) ways_[i * columns + j] = way;
      }
      std::swap(before_, now_);
    }
    return runs_of_reference_ ? weight_of_runs(columns, reference.size()) : before_.back().weight;
  }

 private:
  enum class Way : std::uint8_t { Both, Reference, Hypothesis };

  struct Cell {
    double weight = 0;
    std::size_t run = 0;
  };

  Way fill(bool match, std::size_t j) {
    const Cell& diagonal = before_[j];
    const double above = before_[j + 1].weight;
    const double left = now_[j].weight;
    if (match) {
      const std::size_t run = diagonal.run;
      now_[j + 1] = {diagonal.weight + weights_[run + 1] - weights_[run], run + 1};
      return Way::Both;
    }
    now_[j + 1] = {std::max(above, left), 0};
    return above >= left ? Way::Reference : Way::Hypothesis;
  }

  double weight_of_runs(std::size_t columns, std::size_t rows) {
    chosen_.assign(rows + 1, 0);
    for (std::size_t i = rows, j = columns; i > 0 && j > 0;) {
      const Way way = ways_[(i - 1) * columns + j - 1];
      if (way == Way::Both) chosen_[i - 1] = 1;
      i -= way != Way::Hypothesis ? 1 : 0;
      j -= way != Way::Reference ? 1 : 0;
    }
    double sum = 0;
    std::size_t run = 0;
    for (const std::uint8_t chosen : chosen_) {
      if (chosen != 0) {
        ++run;
      } else if (run > 0) {
        sum += weights_[run];
        run = 0;
      }
    }
    return sum;
  }

  const double weight_;
  const bool runs_of_reference_;
  std::vector<double> weights_;  // by length of a run
  std::vector<Cell> before_, now_;
  std::vector<Way> ways_;
  std::vector<std::uint8_t> chosen_;  // by word of the reference, and one that is not
};

class Counter {
 public:
  explicit Counter(const WeightedLcsOptions& options)
      : text_(options.tokenizer, options.letter_case),
        subsequence_(options.weight, options.runs_of_reference) {}

  // Fills the row of every reference, `stride` numbers apart.
  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             double* row, std::size_t stride) {
    text_.read(segment, hypotheses, references);
    std::size_t present = 0;
    for (const Column& column : references) {
      std::fill_n(row, kWeightedLcsColumns, 0.0);
      if (column.present(segment)) {
        words_.read(text_.hypothesis(), text_.reference(present++));
        row[0] = subsequence_(words_.hypothesis(), words_.reference());
        row[1] = static_cast<double>(words_.hypothesis().size());
        row[2] = static_cast<double>(words_.reference().size());
      }
      row += stride;
    }
  }

 private:
  SegmentTokens text_;
  NumberedPair words_;
  WeightedSubsequence subsequence_;
};

}  // namespace

void weighted_lcs_statistics(const Column& hypotheses, const std::vector<Column>& references,
                             const WeightedLcsOptions& options, double* rows) {
  constexpr std::size_t kBlock = 64;
  const std::size_t stride = hypotheses.size() * kWeightedLcsColumns;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        count_segment(
            i, [&] { counter.count(i, hypotheses, references, rows + i * kWeightedLcsColumns, stride); });
      }
    };
  });
}

}  // namespace understudy
