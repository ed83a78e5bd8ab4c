// Distances to a reference of a text in which phrases are moved: what it takes to find the best of many
// shifts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bit_distance.h"
#include "word_shifts.h"

namespace understudy {

struct Shift {
  std::size_t from;
  std::size_t to;  // where the phrase is put in what is left without it
  std::size_t length;

  // Two neighbouring parts change places: [begin, middle) and [middle, end).
  std::size_t begin() const { return std::min(from, to); }
  std::size_t middle() const { return from < to ? from + length : from; }
  std::size_t end() const { return std::max(from, to) + length; }

  // The word at place i after the shift.
  std::uint32_t at(const Words& words, std::size_t i) const {
    if (i < begin() || i >= end()) return words[i];
    const std::size_t moved = i + middle() - begin();
    return words[moved < end() ? moved : moved - (end() - begin())];
  }
};

// ---------------------------------------------------------------------------------------------------
// Distances after changes of a text.
//
// The cost of the words up to place k against every first part of the reference, and that of the words from k
// on against every rest of it, are kept as steps (bit_distance.h). So a change is measured from where it
// begins to where it ends, and the distance is the least sum of both costs there.
//
// A phrase of L words that is moved takes no more than 2L edits to move back. So a shift that gains anything
// has its cheapest way where the two costs of the words as they stand sum up to less than the distance
// and 2L: nowhere else need its costs be known. These are a few columns beside the diagonal, and a band of
// blocks that holds them is all that is computed.

class ShiftedText {
 public:
  void start(const Words& reference, std::size_t kinds) {
    reference_ = reference;
    forwards_.start(reference_, kinds);
    backwards_.start(Words(reference_.rbegin(), reference_.rend()), kinds);
  }

  // Words that are those read last but for the places from `begin` to `end`: all of a new text.
  void read(const Words& words, std::size_t begin, std::size_t end) {
    words_ = words;
    blocks_ = forwards_.blocks();
    const std::size_t size = (words_.size() + 1) * blocks_;
    before_.resize(size);
    from_end_.resize(size);
    after_.resize(size);
    cost_before_.resize(size);
    cost_after_.resize(size);
    row_.resize(blocks_);
    read_forwards(begin);
    read_backwards(end);
    find_bands();
  }

  // Of the words as they stand.
  std::int64_t distance() const { return distance_; }

  // After a shift that gains something; else the distance, or more.
  std::int64_t distance_after(const Shift& shift) {
    begin(shift.begin(), shift.length);
    if (shift.from < shift.to) {
      for (std::size_t i = shift.middle(); i < shift.end(); ++i) advance(words_[i], i + 1);
      for (std::size_t i = shift.begin(); i < shift.middle(); ++i) advance(words_[i], shift.end());
    } else {
      for (std::size_t i = shift.middle(); i < shift.end(); ++i) advance(words_[i], shift.begin());
      for (std::size_t i = shift.begin(); i < shift.middle(); ++i) advance(words_[i], i + 1);
    }
    return least_sum(row_.data(), cost_, shift.end(), first_, last_);
  }

  // Without the phrase the words have some distance, and putting it in lowers that by no more than its
  // length.
  std::int64_t gain_without(std::size_t from, std::size_t length) {
    begin(from, length);
    const std::int64_t distance = least_sum(row_.data(), cost_, from + length, first_, last_);
    return distance_ - distance + static_cast<std::int64_t>(length);
  }

  // With the phrase in both places they have another, and taking it away lowers that by no more than its
  // length. The phrase is that which the reference has at this place.
  std::int64_t gain_with(std::size_t at, std::size_t place, std::size_t length) {
    begin(at, length);
    for (std::size_t k = 0; k < length; ++k) advance(reference_[place + k], at);
    const std::int64_t distance = least_sum(row_.data(), cost_, at, first_, last_);
    return distance_ - distance + static_cast<std::int64_t>(length);
  }

 private:
  static constexpr std::size_t kBands = 4;  // for phrases of 1, 2, up to 4, and up to 8 words

  struct Band {
    std::uint32_t first;
    std::uint32_t last;
  };

  void read_forwards(std::size_t begin) {
    if (begin == 0) {
      forwards_.begin(before_.data());
      fill_costs(before_, cost_before_, 0, 0);
    }
    for (std::size_t i = begin; i < words_.size(); ++i) {
      forwards_.advance(words_[i], &before_[i * blocks_], &before_[(i + 1) * blocks_]);
      fill_costs(before_, cost_before_, i + 1, static_cast<std::int64_t>(i + 1));
    }
    distance_ = forwards_.distance(&before_[words_.size() * blocks_], words_.size());
  }

  // From the end, with the reference from its end. Then every row is turned round.
  void read_backwards(std::size_t end) {
    if (end == words_.size()) {
      backwards_.begin(&from_end_[end * blocks_]);
      turn_round(end);
    }
    for (std::size_t i = end; i-- > 0;) {
      backwards_.advance(words_[i], &from_end_[(i + 1) * blocks_], &from_end_[i * blocks_]);
      turn_round(i);
    }
  }

  // What is a step up from the end is a step down from the beginning.
  void turn_round(std::size_t row) {
    const Steps* const from_end = &from_end_[row * blocks_];
    Steps* const steps = &after_[row * blocks_];
    const std::size_t unused = blocks_ * kBits - reference_.size();
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Steps& high = from_end[blocks_ - 1 - b];
      steps[b] = {reversed(high.down), reversed(high.up)};
    }
    for (std::size_t b = 0; unused > 0 && b < blocks_; ++b) {
      const Steps next = b + 1 < blocks_ ? steps[b + 1] : Steps{0, 0};
      steps[b].up = steps[b].up >> unused | next.up << (kBits - unused);
      steps[b].down = steps[b].down >> unused | next.down << (kBits - unused);
    }
    fill_costs(after_, cost_after_, row, backwards_.distance(from_end, words_.size() - row));
  }

  static Bits reversed(Bits bits) {
    constexpr std::array<Bits, 6> kMasks = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                            0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (unsigned k = 0; k < kMasks.size(); ++k) {
      const unsigned shift = 1U << k;
      bits = (bits >> shift & kMasks[k]) | (bits & kMasks[k]) << shift;
    }
    return bits;
  }

  // The costs where the blocks of a row begin.
  void fill_costs(const std::vector<Steps>& rows, std::vector<std::int32_t>& costs, std::size_t row,
                  std::int64_t first) {
    auto cost = static_cast<std::int32_t>(first);
    for (std::size_t b = 0; b < blocks_; ++b) {
      costs[row * blocks_ + b] = cost;
      if (b + 1 == blocks_) break;
      const Steps& steps = rows[row * blocks_ + b];
      cost += std::popcount(steps.up) - std::popcount(steps.down);
    }
  }

  // No sum in a block is lower.
  std::int64_t lowest(const Steps& before, const Steps& after, std::int64_t sum, std::size_t block) const {
    const Bits used = forwards_.used(block);
    return sum - std::popcount(before.down & used) - std::popcount(after.down & used);
  }

  void find_bands() {
    if (blocks_ == 1) return;
    const std::size_t rows = words_.size() + 1;
    for (std::vector<Band>& bands : bands_) bands.assign(rows, Band{static_cast<std::uint32_t>(blocks_), 0});
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t b = 0; b < blocks_; ++b) {
        const std::size_t at = i * blocks_ + b;
        const std::int64_t low =
            lowest(before_[at], after_[at], std::int64_t{cost_before_[at]} + cost_after_[at], b);
        for (std::size_t k = kBands; k-- > 0 && low < distance_ + (std::int64_t{2} << k);) {
          Band& band = bands_[k][i];
          band.first = std::min(band.first, static_cast<std::uint32_t>(b));
          band.last = std::max(band.last, static_cast<std::uint32_t>(b));
        }
      }
    }
    // A band never turns back, so that what has left it is not needed again.
    for (std::vector<Band>& bands : bands_) {
      for (std::size_t i = rows - 1; i-- > 0;) bands[i].first = std::min(bands[i].first, bands[i + 1].first);
      for (std::size_t i = 1; i < rows; ++i) bands[i].last = std::max(bands[i].last, bands[i - 1].last);
    }
  }

  Band band(std::size_t row) const {
    return chosen_ < kBands && blocks_ > 1 ? bands_[chosen_][row]
                                           : Band{0, static_cast<std::uint32_t>(blocks_ - 1)};
  }

  void begin(std::size_t row, std::size_t length) {
    chosen_ = static_cast<std::size_t>(std::bit_width(length - 1));
    first_ = band(row).first;
    last_ = band(row).last;
    cost_ = cost_before_[row * blocks_ + first_];
    std::copy(&before_[row * blocks_ + first_], &before_[row * blocks_] + last_ + 1,
              row_.begin() + static_cast<std::ptrdiff_t>(first_));
  }

  // Reads a word, after which the costs are needed that lie in the band of this row.
  void advance(std::uint32_t word, std::size_t row) {
    const Band band_after = band(row);
    while (last_ < band_after.last) row_[++last_] = {~Bits{0}, 0};
    forwards_.advance(word, row_.data(), first_, last_);
    for (++cost_; first_ < band_after.first; ++first_) {
      cost_ += std::popcount(row_[first_].up) - std::popcount(row_[first_].down);
    }
  }

  // Of the costs with these steps, of which this one is where the first block begins, and those of the words
  // from `rest` on.
  std::int64_t least_sum(const Steps* steps, std::int64_t cost, std::size_t rest, std::size_t first,
                         std::size_t last) const {
    std::int64_t least = std::int64_t{1} << 62;
    for (std::size_t b = first; b <= last; ++b) {
      const Steps before = steps[b];
      const Steps after = after_[rest * blocks_ + b];
      const std::int64_t sum = cost + cost_after_[rest * blocks_ + b];
      if (first == last || lowest(before, after, sum, b) < least) {
        least = std::min(least, least_in_block(before, after, sum, b));
      }
      if (b < last) cost += std::popcount(before.up) - std::popcount(before.down);
    }
    return least;
  }

  std::int64_t least_in_block(const Steps& before, const Steps& after, std::int64_t sum,
                              std::size_t block) const {
    std::int64_t least = sum;
    const std::size_t steps = std::min(kBits, reference_.size() - block * kBits);
    for (std::size_t k = 0; k < steps; ++k) {
      sum += static_cast<std::int64_t>((before.up >> k & 1) + (after.up >> k & 1));
      sum -= static_cast<std::int64_t>((before.down >> k & 1) + (after.down >> k & 1));
      least = std::min(least, sum);
    }
    return least;
  }

  Words reference_;
  BitDistance forwards_;   // to the reference
  BitDistance backwards_;  // to the reference from its end
  Words words_;
  std::size_t blocks_ = 0;
  std::int64_t distance_ = 0;
  std::vector<Steps> before_;              // by place: of the words before it
  std::vector<Steps> from_end_;            // by place: of the words from it on, as read from the end
  std::vector<Steps> after_;               // the same, turned round
  std::vector<std::int32_t> cost_before_;  // where each block begins
  std::vector<std::int32_t> cost_after_;
  std::array<std::vector<Band>, kBands> bands_;  // by the length of phrases, then by place
  std::size_t chosen_ = 0;
  std::vector<Steps> row_;  // of the change being measured, in the blocks from first_ to last_
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::int64_t cost_ = 0;  // where the first of them begins
};

}  // namespace understudy
