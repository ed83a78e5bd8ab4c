#include "edit/eed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/fixed_point.h"
#include "support/parallel.h"

namespace understudy {

namespace {

using Characters = std::vector<char32_t>;

// For every character of the reference in turn, the cheapest way to have come so far and to stand behind each
// character of the hypothesis. At a space one may jump to anywhere. Where a row is cheapest is taken for
// where the hypothesis is read: each of its characters should be visited once.
//
// Sums are made in this order, one after the other, and not several at once: it decides their last digits,
// and by them which place of a row is the lowest.
template <class Real>
class Distance {
 public:
  explicit Distance(const EedOptions& options)
      : alpha_(static_cast<Real>(options.alpha)),
        rho_(static_cast<Real>(options.rho)),
        deletion_(static_cast<Real>(options.deletion)),
        insertion_(static_cast<Real>(options.insertion)),
        substitution_(static_cast<Real>(options.substitution)),
        as_program_(options.as_program) {}

  struct Result {
    double rate;
    std::int64_t coverage;
  };

  Result operator()(const Characters& hypothesis, const Characters& reference) {
    row_.assign(hypothesis.size() + 1, Real{1});
    row_[0] = 0;
    visits_.assign(hypothesis.size() + 1, 0);
    for (const char32_t wanted : reference) {
      advance(hypothesis, wanted);
      const std::size_t lowest = as_program_ ? lowest_by_whole_numbers() : lowest_place();
      ++visits_[lowest];
      if (wanted == U' ') {
        const Real jump = alpha_ + row_[lowest];
        for (Real& cost : row_) cost = std::min(cost, jump);
      }
    }
    std::int64_t coverage = 0;
    for (std::size_t i = 1; i < visits_.size(); ++i) coverage += std::abs(visits_[i] - 1);
    const Real penalty = rho_ * static_cast<Real>(coverage);
    const Real length = static_cast<Real>(reference.size()) + penalty;
    return {std::min(1.0, static_cast<double>((row_.back() + penalty) / length)), coverage};
  }

 private:
  void advance(const Characters& hypothesis, char32_t wanted) {
    // What does not wait for the place before is done for the whole row first, several places at once.
    Real* const row = row_.data();
    const char32_t* const text = hypothesis.data();
    const std::size_t length = hypothesis.size();
    both_.resize(length);
    Real* const both = both_.data();
    for (std::size_t i = 0; i < length; ++i) {
      both[i] = std::min(row[i] + (text[i] == wanted ? Real{0} : substitution_), row[i + 1] + insertion_);
    }
    Real last = row[0] + Real{1};
    row[0] = last;
    for (std::size_t i = 0; i < length; ++i) {
      last = std::min(last + deletion_, both[i]);
      row[i + 1] = last;
    }
  }

  std::size_t lowest_place() const {
    return static_cast<std::size_t>(std::min_element(row_.begin(), row_.end()) - row_.begin());
  }

  // The program keeps the lowest cost so far as a whole number, cut off, and so passes over what is lower by
  // less than that.
  std::size_t lowest_by_whole_numbers() const {
    std::size_t lowest = 0;
    Real least = std::trunc(row_[0]);
    for (std::size_t i = 1; i < row_.size(); ++i) {
      if (row_[i] < least) {
        lowest = i;
        least = std::trunc(row_[i]);
      }
    }
    return lowest;
  }

  const Real alpha_;
  const Real rho_;
  const Real deletion_;
  const Real insertion_;
  const Real substitution_;
  const bool as_program_;
  std::vector<Real> row_;
  std::vector<Real> both_;
  std::vector<std::int64_t> visits_;
};

template <class Real>
class Counter {
 public:
  explicit Counter(const EedOptions& options) : letter_case_(options.letter_case), distance_(options) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* rows) {
    read(hypotheses[segment], hypothesis_);
    for (std::size_t r = 0; r < references.size(); ++r) {
      std::int64_t* const row = rows + (r * hypotheses.size() + segment) * kEedColumns;
      if (!references[r].present(segment)) {
        std::fill_n(row, kEedColumns, 0);
        continue;
      }
      read(references[r][segment], reference_);
      const auto [rate, coverage] = distance_(hypothesis_, reference_);
      split_fraction(rate, row);
      row[2] = 1;
      row[3] = static_cast<std::int64_t>(hypothesis_.size());
      row[4] = static_cast<std::int64_t>(reference_.size());
      row[5] = coverage;
    }
  }

 private:
  void read(std::string_view text, Characters& characters) {
    text = unicode::in_case(text, letter_case_, lowered_);
    characters.assign(1, U' ');
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) characters.push_back(unicode::decode(p, end));
    characters.push_back(U' ');
  }

  const unicode::Case letter_case_;
  std::string lowered_;
  Characters hypothesis_;
  Characters reference_;
  Distance<Real> distance_;
};

template <class Real>
void count_all(const Column& hypotheses, const std::vector<Column>& references, const EedOptions& options,
               std::int64_t* rows) {
  constexpr std::size_t kBlock = 16;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter<Real>(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) counter.count(i, hypotheses, references, rows);
    };
  });
}

}  // namespace

void eed_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const EedOptions& options, std::int64_t* rows) {
  if (options.as_program) {
    count_all<float>(hypotheses, references, options, rows);
  } else {
    count_all<double>(hypotheses, references, options, rows);
  }
}

}  // namespace understudy
