#include "edit/cost_beam.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "edit/too_long.h"

namespace understudy {

namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max() / 2;  // a cell that is left out

}  // namespace

void CostBeam::start(const std::vector<std::uint32_t>& reference, std::int32_t beam) {
  reference_ = &reference;
  beam_ = beam;
  above_.resize(reference.size() + 1);
  now_.resize(reference.size() + 1);
}

// From the row in now_ to the next.
void CostBeam::advance(std::uint32_t word, bool is_last) {
  std::swap(above_, now_);
  const std::size_t columns = now_.size();
  const std::size_t past_diagonal = std::min(end_ + 1, columns);
  std::int32_t cheapest = kNone;
  now_[first_] = kNone;
  for (std::size_t j = first_ + 1; j < past_diagonal; ++j) {
    now_[j] = above_[j - 1] + (word == (*reference_)[j - 1] ? 0 : 1);
    cheapest = std::min(cheapest, now_[j]);
  }
  // Nothing of the last row is left out, nor of a row that no match or substitution reaches.
  const std::int32_t dearest = is_last ? kNone - 1 : std::min(cheapest, kNone - 1 - beam_) + beam_;
  for (std::size_t j = first_; j < end_; ++j) now_[j] = std::min(now_[j], above_[j] + 1);
  for (std::size_t j = first_ + 1; j < past_diagonal; ++j) now_[j] = std::min(now_[j], now_[j - 1] + 1);
  end_ = past_diagonal;
  for (; end_ < columns && now_[end_ - 1] < dearest; ++end_) now_[end_] = now_[end_ - 1] + 1;
  // What is too dear is left out only here: so is then all that came from it.
  for (std::size_t j = first_; j < end_; ++j) now_[j] = now_[j] > dearest ? kNone : now_[j];
  while (now_[first_] == kNone) ++first_;
  while (now_[end_ - 1] == kNone) --end_;
}

std::int64_t CostBeam::set_current(const std::vector<std::uint32_t>& words) {
  rows_.clear();
  costs_.clear();
  const auto keep = [&] {
    // As much again may be taken when it grows.
    refuse_if_too_long(2 * (costs_.size() + end_ - first_) * sizeof(std::int32_t), words.size(),
                       reference_->size());
    rows_.push_back({first_, end_, costs_.size()});
    costs_.insert(costs_.end(), now_.begin() + static_cast<std::ptrdiff_t>(first_),
                  now_.begin() + static_cast<std::ptrdiff_t>(end_));
  };
  first_ = 0;
  end_ = now_.size();
  for (std::size_t j = 0; j < now_.size(); ++j) now_[j] = static_cast<std::int32_t>(j);
  keep();
  for (std::size_t i = 0; i < words.size(); ++i) {
    advance(words[i], i + 1 == words.size());
    keep();
  }
  return now_.back();
}

std::int64_t CostBeam::distance(const std::vector<std::uint32_t>& words, std::size_t from, std::size_t to) {
  const Row& before = rows_[from];
  first_ = before.first;
  end_ = before.end;
  std::copy_n(costs_.begin() + static_cast<std::ptrdiff_t>(before.start), end_ - first_,
              now_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (std::size_t i = from; i < words.size(); ++i) {
    advance(words[i], i + 1 == words.size());
    if (i + 1 < to) continue;
    if (const std::optional<std::int32_t> more = rejoined(i + 1)) return costs_.back() + *more;
  }
  return now_.back();
}

// By how much all cells of the row in now_ differ from those of the current hypothesis, if it is the same for
// all: then it is for all rows that follow.
std::optional<std::int32_t> CostBeam::rejoined(std::size_t row) const {
  const Row& kept = rows_[row];
  if (kept.first != first_ || kept.end != end_) return std::nullopt;
  const std::int32_t* const costs = costs_.data() + kept.start;
  const std::int32_t more = now_[first_] - costs[0];
  for (std::size_t j = first_; j < end_; ++j) {
    const std::int32_t now = now_[j];
    const std::int32_t then = costs[j - first_];
    if (now - then != more && (now != kNone || then != kNone)) return std::nullopt;
  }
  return more;
}

std::int32_t CostBeam::cost(std::size_t row, std::size_t column) const {
  const Row& kept = rows_[row];
  return column >= kept.first && column < kept.end ? costs_[kept.start + column - kept.first] : kNone;
}

void CostBeam::align(const std::vector<std::uint32_t>& words, WordAlignment& alignment) const {
  AlignmentTrace trace(alignment, words.size(), reference_->size());
  while (!trace.done()) {
    // Of equally cheap ways the first of: match or substitution, insertion, deletion.
    const std::size_t i = trace.row;
    const std::size_t j = trace.column;
    const std::int32_t here = cost(i, j);
    const std::int32_t diagonal = i > 0 && j > 0 ? cost(i - 1, j - 1) : kNone;
    if (diagonal == here && words[i - 1] == (*reference_)[j - 1]) {
      trace.match();
    } else if (diagonal + 1 == here && words[i - 1] != (*reference_)[j - 1]) {
      trace.substitute();
    } else if (i > 0 && cost(i - 1, j) + 1 == here) {
      trace.insert();
    } else {
      trace.remove();
    }
  }
}

}  // namespace understudy
