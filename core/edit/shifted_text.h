// Distances to a reference of a text in which phrases are moved: what it takes to find the best of many
// shifts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "edit/distance_rows.h"
#include "edit/too_long.h"
#include "edit/word_shifts.h"

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
// on against every rest of it, are kept as steps (distance_rows.h). So a change is measured from where it
// begins to where it ends, and the distance is the least sum of both costs there.
//
// A phrase of L words that is moved takes no more than 2L edits to move back. So a shift that gains anything
// has its cheapest way where the two costs of the words as they stand sum up to less than the distance
// and 2L: nowhere else need its costs be known. These are a few columns beside the diagonal, and a band of
// blocks that holds them is all that is computed.
//
// Some words after a phrase was taken away, or put in, the costs in the band mostly are what they were but
// for one number that is the same for all of them, and so they stay: the change has settled. From there on
// the shift costs that number more than its other half alone. (A way of the words as they stand that leaves
// the band after that sums up to the distance and 2L at least. The number is -L at least, and so is what the
// other half changes: such a way is none by which a shift gains.)

class ShiftedText {
 public:
  // For texts of no more than so many words. Throws TooLong.
  void start(const Words& reference, std::size_t kinds, std::size_t most_words) {
    refuse_if_too_long(2 * DistanceRows::bytes(most_words, reference.size()) +
                           2 * BitDistance::bytes(reference.size(), kinds),
                       most_words, reference.size());
    reference_ = reference;
    before_.start(reference_, kinds, 0);
    blocks_ = before_.blocks();
    // Blocks from the end are those from the beginning, turned round.
    after_.start(Words(reference_.rbegin(), reference_.rend()), kinds, blocks_ * kBits - reference_.size());
    row_.resize(blocks_);
  }

  void read(const Words& words) {
    words_ = words;
    before_.read(words_);
    after_.read(Words(words_.rbegin(), words_.rend()));
    find_bands();
  }

  void do_shift(const Shift& shift) {
    Words shifted(words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) shifted[i] = shift.at(words_, i);
    words_.swap(shifted);
    before_.exchange(shift.begin(), shift.middle(), shift.end());
    const std::size_t size = words_.size();
    after_.exchange(size - shift.end(), size - shift.middle(), size - shift.begin());
    find_bands();
  }

  const Words& words() const { return words_; }

  // Of the words as they stand.
  std::int64_t distance() const { return distance_; }

  // A half of a shift by itself, a phrase taken away or put in: the distance after it, and from which row on,
  // if that is known, costs are what they were but for this change.
  struct Half {
    std::int64_t distance = 0;
    std::size_t settled = ~std::size_t{0};
    std::int64_t change = 0;
  };

  Half without(std::size_t from, std::size_t length) {
    begin(from, length);
    return {least_sum(from + length)};
  }

  // The phrase is that which the reference has at this place.
  Half with(std::size_t at, std::size_t place, std::size_t length) {
    begin(at, length);
    for (std::size_t k = 0; k < length; ++k) advance(reference_[place + k], at);
    return {least_sum(at)};
  }

  // After a shift that gains something; else the distance, or more. The first half of it is what comes first
  // in the text. If that settles, it is noted there.
  std::int64_t distance_after(const Shift& shift, Half& first, const Half& second) {
    const bool onwards = shift.from < shift.to;
    const std::size_t begin_between = onwards ? shift.middle() : shift.begin();
    const std::size_t end_between = onwards ? shift.end() : shift.middle();
    if (first.settled > end_between) {
      begin(shift.begin(), shift.length);
      if (!onwards) read_phrase(shift, shift.begin());
      for (std::size_t i = begin_between; i < end_between; ++i) {
        advance(words_[i], i + 1);
        if (is_as_before(i + 1)) {
          first.settled = i + 1;
          first.change = cost_ - before_.costs(i + 1)[first_];
          break;
        }
      }
    }
    if (first.settled <= end_between) return first.change + second.distance;
    if (onwards) read_phrase(shift, shift.end());
    return least_sum(shift.end());
  }

  // The same without knowing anything of its halves.
  std::int64_t distance_after(const Shift& shift) {
    begin(shift.begin(), shift.length);
    const bool onwards = shift.from < shift.to;
    if (!onwards) read_phrase(shift, shift.begin());
    const std::size_t begin_between = onwards ? shift.middle() : shift.begin();
    const std::size_t end_between = onwards ? shift.end() : shift.middle();
    for (std::size_t i = begin_between; i < end_between; ++i) advance(words_[i], i + 1);
    if (onwards) read_phrase(shift, shift.end());
    return least_sum(shift.end());
  }

 private:
  static constexpr std::size_t kBands = 4;  // for phrases of 1, 2, up to 4, and up to 8 words

  struct Band {
    std::uint32_t first;
    std::uint32_t last;
  };

  void find_bands() {
    distance_ = before_.cost_at_end(words_.size());
    if (blocks_ == 1) return;
    const std::size_t rows = before_.rows();
    const auto none = Band{static_cast<std::uint32_t>(blocks_), 0};
    for (std::vector<Band>& bands : bands_) bands.assign(rows, none);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int32_t* const low_before = before_.lowest(i);
      const std::int32_t* const low_after = after_.lowest(rows - 1 - i);
      const auto low = [&](std::size_t b) {
        return std::int64_t{low_before[b]} + low_after[blocks_ - 1 - b];
      };
      std::size_t first = 0;
      std::size_t last = blocks_;
      for (std::size_t k = kBands; k-- > 0;) {
        const std::int64_t bound = distance_ + (std::int64_t{2} << k);
        while (first < last && low(first) >= bound) ++first;
        while (first < last && low(last - 1) >= bound) --last;
        if (first == last) break;
        bands_[k][i] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - 1)};
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
    cost_ = before_.costs(row)[first_];
    std::copy(before_.row(row) + first_, before_.row(row) + last_ + 1,
              row_.begin() + static_cast<std::ptrdiff_t>(first_));
  }

  // Reads a word, after which the costs are needed that lie in the band of this row.
  void advance(std::uint32_t word, std::size_t row) {
    const Band band_after = band(row);
    while (last_ < band_after.last) row_[++last_] = {~Bits{0}, 0};
    before_.columns().advance(word, row_.data(), first_, last_);
    for (++cost_; first_ < band_after.first; ++first_) {
      cost_ += count_bits(row_[first_].up) - count_bits(row_[first_].down);
    }
  }

  void read_phrase(const Shift& shift, std::size_t row) {
    for (std::size_t i = 0; i < shift.length; ++i) advance(words_[shift.from + i], row);
  }

  // Whether the steps in the band are those of the words as they stand.
  bool is_as_before(std::size_t row) const {
    const Steps* const steps = before_.row(row);
    for (std::size_t b = first_; b <= last_; ++b) {
      const Bits other = (row_[b].up ^ steps[b].up) | (row_[b].down ^ steps[b].down);
      if ((other & before_.columns().used(b)) != 0) return false;
    }
    return true;
  }

  // Of the costs reached, and those of the words from `rest` on.
  std::int64_t least_sum(std::size_t rest) const {
    const std::size_t row_after = words_.size() - rest;
    std::int64_t cost = cost_;
    std::int64_t least = std::int64_t{1} << 62;
    for (std::size_t b = first_; b <= last_; ++b) {
      const Steps before = row_[b];
      const std::size_t turned = blocks_ - 1 - b;
      const std::int64_t low_after = after_.lowest(row_after)[turned];
      const std::int32_t downs = count_bits(before.down & before_.columns().used(b));
      if (first_ == last_ || cost - downs + low_after < least) {
        least = std::min(least, least_in_block(before, cost, row_after, turned, b));
      }
      if (b < last_) cost += count_bits(before.up) - count_bits(before.down);
    }
    return least;
  }

  // What is a step up from the end is a step down from the beginning.
  std::int64_t least_in_block(const Steps& before, std::int64_t cost, std::size_t row_after,
                              std::size_t turned, std::size_t block) const {
    const Steps from_end = after_.row(row_after)[turned];
    const Bits up = reversed(from_end.down);
    const Bits down = reversed(from_end.up);
    std::int64_t sum = cost + (turned + 1 < blocks_ ? std::int64_t{after_.costs(row_after)[turned + 1]}
                                                    : after_.cost_at_end(row_after));
    std::int64_t least = sum;
    const std::size_t steps = std::min(kBits, reference_.size() - block * kBits);
    for (std::size_t k = 0; k < steps; ++k) {
      sum += static_cast<std::int64_t>((before.up >> k & 1) + (up >> k & 1));
      sum -= static_cast<std::int64_t>((before.down >> k & 1) + (down >> k & 1));
      least = std::min(least, sum);
    }
    return least;
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

  Words reference_;
  Words words_;
  std::size_t blocks_ = 0;
  std::int64_t distance_ = 0;
  DistanceRows before_;                          // of the words before a place
  DistanceRows after_;                           // of the words from a place on: both texts from their ends
  std::array<std::vector<Band>, kBands> bands_;  // by the length of phrases, then by place
  std::size_t chosen_ = 0;
  std::vector<Steps> row_;  // of the change being measured, in the blocks from first_ to last_
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::int64_t cost_ = 0;  // where the first of them begins
};

}  // namespace understudy
