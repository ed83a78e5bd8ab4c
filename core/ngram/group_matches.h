// How many n-grams each candidate of a set shares with groups of references, order by order. The n-gram
// counts of a group are the means of those of its references (DeNero, Chiang, Knight 2009; Vamvas & Sennrich
// 2024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngram/shared_ngrams.h"

namespace understudy {

// The groups of the references of a set. Without weights, all references of a group weigh the same.
class ReferenceGroups {
 public:
  void start(std::span<const std::int64_t> groups, std::size_t group_count, std::span<const double> weights);

  std::size_t size() const { return totals_.size(); }
  std::size_t group(std::size_t reference) const { return static_cast<std::size_t>(groups_[reference]); }
  double weight(std::size_t reference) const { return weights_[reference]; }
  // The sum of the weights of a group. Weights of equal references are 1, so that sums of counts are whole
  // numbers, and nothing is rounded before they are divided by this.
  double total(std::size_t group) const { return totals_[group]; }

 private:
  std::span<const std::int64_t> groups_;
  std::vector<double> weights_;
  std::vector<double> totals_;
  std::vector<double> smallest_, largest_;
  std::vector<std::size_t> sizes_;
};

class GroupMatches {
 public:
  // Matches [candidates, groups, orders].
  void start(const Roles& roles, const ReferenceGroups& groups, std::size_t orders) {
    roles_ = roles;
    groups_ = &groups;
    orders_ = orders;
    next_ = 0;
    matches_.assign(roles.candidates * groups.size() * orders, 0.0);
  }

  // The n-grams of one more order; sizes[text] is the number of all n-grams of a text.
  template <class SizeOf>
  void add_order(const SharedNgrams& ngrams, SizeOf&& size_of) {
    const std::size_t count = groups_->size();
    set_values(ngrams);
    for (std::size_t candidate = 0; candidate < roles_.candidates; ++candidate) {
      double* const sums = matches_.data() + candidate * count * orders_ + next_;
      const std::span<const std::uint32_t> found = ngrams.found(candidate);
      for (const std::uint32_t occurrence : found) {
        const double* const values = values_.data() + occurrence * count;
        for (std::size_t group = 0; group < count; ++group) sums[group * orders_] += values[group];
      }
      add_private(candidate, size_of(candidate) - found.size());
    }
    ++next_;
  }

  // An order without shared n-grams.
  template <class SizeOf>
  void add_nothing(SizeOf&& size_of) {
    for (std::size_t candidate = 0; candidate < roles_.candidates; ++candidate) {
      add_private(candidate, size_of(candidate));
    }
    ++next_;
  }

  // Once all orders are there.
  void finish();

  // [orders]
  const double* of(std::size_t candidate, std::size_t group) const {
    return matches_.data() + (candidate * groups_->size() + group) * orders_;
  }

 private:
  void set_values(const SharedNgrams& ngrams);

  // N-grams of a candidate that no other text has: as a reference, it shares them with itself.
  void add_private(std::size_t candidate, std::size_t count) {
    if (!roles_.themselves) return;
    double* const sums = matches_.data() + candidate * groups_->size() * orders_ + next_;
    sums[groups_->group(candidate) * orders_] += groups_->weight(candidate) * static_cast<double>(count);
  }

  Roles roles_;
  const ReferenceGroups* groups_ = nullptr;
  std::size_t orders_ = 0;
  std::size_t next_ = 0;
  std::vector<double> matches_;
  std::vector<double> values_;  // what each occurrence adds to the matches with each group
};

}  // namespace understudy
