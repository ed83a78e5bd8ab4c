// Levenshtein's distances of all first parts of a text to all first parts of another, kept up to date while
// stretches of the text change places.
//
// A row is kept as steps (bit_distance.h), block by block. What a block becomes depends on the word, on the
// same block of the row before and on what the block to the left passes on: where these are what they were,
// the block is too. After a change few blocks of a row are not, and these alone are computed again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "edit/bit_distance.h"
#include "edit/word_shifts.h"

namespace understudy {

class DistanceRows {
 public:
  // What it takes to keep the rows of so many words: memory grows with the product of the lengths.
  static std::size_t bytes(std::size_t words, std::size_t columns) {
    return (words + 1) * ((columns + kBits - 1) / kBits) *
           (sizeof(Steps) + sizeof(Facts) + 2 * sizeof(std::int32_t));
  }

  // The text whose parts are the columns, from bit `offset` on.
  void start(const Words& columns, std::size_t kinds, std::size_t offset) {
    distance_.start(columns, kinds, offset);
    blocks_ = distance_.blocks();
  }

  // The text whose parts are the rows.
  void read(const Words& words) {
    words_ = words;
    const std::size_t size = (words_.size() + 1) * blocks_;
    steps_.resize(size);
    facts_.resize(size);
    cost_.resize(size);
    lowest_.resize(size);
    old_end_.resize(blocks_);
    changed_.assign(blocks_, 1);
    distance_.begin(steps_.data());
    for (std::size_t b = 0; b < blocks_; ++b) learn(b, {});
    fill_costs(0);
    for (std::size_t row = 1; row <= words_.size(); ++row) compute<true>(row);
  }

  // The words [begin, middle) and [middle, end) change places. Their rows go with them, and are put right.
  void exchange(std::size_t begin, std::size_t middle, std::size_t end) {
    std::copy_n(row(end), blocks_, old_end_.begin());
    compare(row(begin), row(middle));
    rotate(words_, begin, middle, end, 1);
    rotate(steps_, begin + 1, middle + 1, end + 1, blocks_);
    rotate(facts_, begin + 1, middle + 1, end + 1, blocks_);
    const std::size_t junction = begin + end - middle;
    for (std::size_t i = begin + 1; i <= junction; ++i) compute<false>(i);
    compare(row(begin), row(junction));
    for (std::size_t i = junction + 1; i <= end; ++i) compute<false>(i);
    compare(old_end_.data(), row(end));
    for (std::size_t i = end + 1; i <= words_.size() && any_changed_; ++i) compute<false>(i);
  }

  const BitDistance& columns() const { return distance_; }
  std::size_t blocks() const { return blocks_; }
  std::size_t rows() const { return words_.size() + 1; }
  const Steps* row(std::size_t row) const { return &steps_[row * blocks_]; }
  // Where each block of a row begins.
  const std::int32_t* costs(std::size_t row) const { return &cost_[row * blocks_]; }
  // No cost in the block is lower.
  const std::int32_t* lowest(std::size_t row) const { return &lowest_[row * blocks_]; }

  std::int64_t cost_at_end(std::size_t row) const {
    const std::size_t last = (row + 1) * blocks_ - 1;
    return cost_[last] + facts_[last].net;
  }

 private:
  // Of a block: what it passes on, its steps summed up, and how many go down.
  struct Facts {
    std::int8_t carried;
    std::int8_t net;
    std::int8_t downs;
  };

  template <class T>
  static void rotate(std::vector<T>& values, std::size_t begin, std::size_t middle, std::size_t end,
                     std::size_t width) {
    const auto at = [&](std::size_t row) {
      return values.begin() + static_cast<std::ptrdiff_t>(row * width);
    };
    std::rotate(at(begin), at(middle), at(end));
  }

  static std::int8_t packed(const Carried& carried) {
    return static_cast<std::int8_t>(static_cast<int>(carried.up) - static_cast<int>(carried.down));
  }
  static Carried unpacked(std::int8_t carried) {
    return {carried > 0 ? Bits{1} : 0, carried < 0 ? Bits{1} : 0};
  }

  // Which blocks differ.
  void compare(const Steps* one, const Steps* other) {
    any_changed_ = false;
    for (std::size_t b = 0; b < blocks_; ++b) {
      changed_[b] = one[b] == other[b] ? 0 : 1;
      any_changed_ |= changed_[b] != 0;
    }
  }

  // The row from the one before it, of which the blocks in changed_ are not what they were.
  template <bool kAll>
  void compute(std::size_t row) {
    const Bits* const marks = distance_.marks(words_[row - 1]);
    Carried carried;
    bool other_carried = false;
    any_changed_ = false;
    for (std::size_t b = 0; b < blocks_; ++b) {
      if (!kAll && changed_[b] == 0 && !other_carried) continue;
      const std::size_t at = row * blocks_ + b;
      if (!kAll && b > 0) carried = unpacked(facts_[at - 1].carried);
      const Steps steps = advance_block(steps_[at - blocks_], marks[b], carried);
      other_carried = facts_[at].carried != packed(carried);
      changed_[b] = steps == steps_[at] ? 0 : 1;
      any_changed_ |= changed_[b] != 0;
      steps_[at] = steps;
      learn(at, carried);
    }
    fill_costs(row);
  }

  void learn(std::size_t at, const Carried& carried) {
    const Bits used = distance_.used(at % blocks_);
    const auto downs = static_cast<std::int8_t>(count_bits(steps_[at].down & used));
    const auto ups = static_cast<std::int8_t>(count_bits(steps_[at].up & used));
    facts_[at] = {packed(carried), static_cast<std::int8_t>(ups - downs), downs};
  }

  void fill_costs(std::size_t row) {
    auto cost = static_cast<std::int32_t>(row);
    for (std::size_t at = row * blocks_; at < (row + 1) * blocks_; ++at) {
      cost_[at] = cost;
      lowest_[at] = cost - facts_[at].downs;
      cost += facts_[at].net;
    }
  }

  BitDistance distance_;
  Words words_;
  std::size_t blocks_ = 0;
  std::vector<Steps> steps_;  // by row and block, as all that follows
  std::vector<Facts> facts_;
  std::vector<std::int32_t> cost_;
  std::vector<std::int32_t> lowest_;
  std::vector<std::uint8_t> changed_;  // by block: whether the row just computed has other steps than before
  bool any_changed_ = false;
  std::vector<Steps> old_end_;
};

}  // namespace understudy
