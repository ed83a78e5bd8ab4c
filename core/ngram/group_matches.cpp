#include "ngram/group_matches.h"

#include <algorithm>
#include <limits>

namespace understudy {

void ReferenceGroups::start(std::span<const std::int64_t> groups, std::size_t group_count,
                            std::span<const double> weights) {
  groups_ = groups;
  weights_.assign(groups.size(), 1.0);
  totals_.assign(group_count, 0.0);
  smallest_.assign(group_count, std::numeric_limits<double>::infinity());
  largest_.assign(group_count, 0.0);
  sizes_.assign(group_count, 0);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    const std::size_t at = group(i);
    totals_[at] += weight;
    smallest_[at] = std::min(smallest_[at], weight);
    largest_[at] = std::max(largest_[at], weight);
    ++sizes_[at];
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t at = group(i);
    if (smallest_[at] < largest_[at]) weights_[i] = weights[i] / totals_[at];
  }
  for (std::size_t at = 0; at < group_count; ++at) {
    totals_[at] = smallest_[at] < largest_[at] ? 1.0 : static_cast<double>(sizes_[at]);
  }
}

// An n-gram that a candidate has c times, and a group S times in all its references of total weight W,
// matches min(c, S / W) times. That is 1/W times the sum over the first c occurrences of what is left of S,
// at most W each: so every occurrence has a value, whatever c is.
void GroupMatches::set_values(const SharedNgrams& ngrams) {
  const Refilled<Occurrence>& occurrences = ngrams.occurrences();
  const std::size_t count = groups_->size();
  values_.assign(occurrences.size() * count, 0.0);
  for (std::size_t reference = 0; reference < roles_.references; ++reference) {
    double* const values = values_.data() + groups_->group(reference);
    const double weight = groups_->weight(reference);
    for (const std::uint32_t occurrence : ngrams.found(roles_.text_of_reference(reference))) {
      values[occurrence * count] += weight;
    }
  }
  for (std::size_t i = 1; i < occurrences.size(); ++i) {
    if (occurrences[i].text == 0 || occurrences[i].next == 0) continue;  // those of one occurrence are right
    for (std::size_t group = 0; group < count; ++group) {
      double left = 0;
      for (std::size_t at = i; at != 0; at = occurrences[at].next) left += values_[at * count + group];
      const double most = groups_->total(group);
      for (std::size_t at = i; at != 0; at = occurrences[at].next) {
        values_[at * count + group] = std::clamp(left, 0.0, most);
        left -= most;
      }
    }
  }
}

void GroupMatches::finish() {
  for (std::size_t candidate = 0; candidate < roles_.candidates; ++candidate) {
    for (std::size_t group = 0; group < groups_->size(); ++group) {
      double* const matches = matches_.data() + (candidate * groups_->size() + group) * orders_;
      for (std::size_t n = 0; n < orders_; ++n) matches[n] /= groups_->total(group);
    }
  }
}

}  // namespace understudy
