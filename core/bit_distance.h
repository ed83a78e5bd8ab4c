// Levenshtein's distance, 64 cells at a time (Myers 1999, in the form of Hyyrö 2003).
//
// Of D[i][j], the distance between the first i symbols of one text and the first j of the other, only the
// steps from D[i][j] to D[i+1][j] are kept, as bits: each is +1, -1 or 0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.h"

namespace understudy {

struct Steps {
  Bits up;    // bit i: D[i+1][j] is D[i][j] + 1
  Bits down;  // bit i: D[i+1][j] is D[i][j] - 1
};

// From the steps of one j to those of the next, which may be the same memory. marks(b): the bits of block b
// where the first text has the next symbol of the second.
template <class Marks>
void advance_steps(const Steps* before, Steps* after, std::size_t blocks, Marks&& marks) {
  Bits carried_up = 1;  // D[0][j] = j
  Bits carried_down = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto [up, down] = before[b];
    const Bits equal = marks(b) | carried_down;
    const Bits diagonal = (((equal & up) + up) ^ up) | equal | down;  // D[i+1][j+1] is D[i][j]
    const Bits across_up = down | ~(diagonal | up);
    const Bits across_down = diagonal & up;
    const Bits shifted_up = across_up << 1 | carried_up;
    const Bits shifted_down = across_down << 1 | carried_down;
    carried_up = across_up >> (kBits - 1);
    carried_down = across_down >> (kBits - 1);
    after[b] = {shifted_down | ~(diagonal | shifted_up), shifted_up & diagonal};
  }
}

// The distance of one text, given as small numbers, to any number of others.
class BitDistance {
 public:
  // Numbers are below `kinds`; those of other texts too.
  void start(std::span<const std::uint32_t> text, std::size_t kinds) {
    length_ = text.size();
    blocks_ = (length_ + kBits - 1) / kBits;
    marks_.assign(kinds * blocks_, 0);
    for (std::size_t i = 0; i < length_; ++i) {
      marks_[text[i] * blocks_ + i / kBits] |= Bits{1} << (i % kBits);
    }
  }

  std::size_t blocks() const { return blocks_; }

  // The steps before the first symbol of another text: D[i][0] = i.
  void begin(Steps* steps) const {
    for (std::size_t b = 0; b < blocks_; ++b) steps[b] = {~Bits{0}, 0};
  }

  void advance(std::uint32_t symbol, const Steps* before, Steps* after) const {
    const Bits* const marks = marks_.data() + symbol * blocks_;
    advance_steps(before, after, blocks_, [marks](std::size_t b) { return marks[b]; });
  }

  // The same for some blocks only, as if D grew by 1 before the first of them: never too little, and right
  // where the cheapest way lies in these blocks.
  void advance(std::uint32_t symbol, Steps* steps, std::size_t first, std::size_t last) const {
    const Bits* const marks = marks_.data() + symbol * blocks_ + first;
    advance_steps(steps + first, steps + first, last + 1 - first,
                  [marks](std::size_t b) { return marks[b]; });
  }

  // The bits of a block that are steps of the text.
  Bits used(std::size_t block) const {
    const std::size_t rest = length_ - block * kBits;
    return rest < kBits ? (Bits{1} << rest) - 1 : ~Bits{0};
  }

  // The distance to so many symbols of another text, after which the steps are these.
  std::int64_t distance(const Steps* steps, std::size_t symbols) const {
    auto sum = static_cast<std::int64_t>(symbols);
    for (std::size_t b = 0; b < blocks_; ++b) {
      sum += std::popcount(steps[b].up & used(b)) - std::popcount(steps[b].down & used(b));
    }
    return sum;
  }

  std::int64_t operator()(std::span<const std::uint32_t> other) {
    row_.resize(blocks_);
    begin(row_.data());
    for (const std::uint32_t symbol : other) advance(symbol, row_.data(), row_.data());
    return distance(row_.data(), other.size());
  }

 private:
  std::size_t length_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Bits> marks_;  // by symbol: where the text has it
  std::vector<Steps> row_;
};

}  // namespace understudy
