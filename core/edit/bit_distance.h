// Levenshtein's distance, 64 cells at a time (Myers 1999, in the form of Hyyrö 2003).
//
// Of D[i][j], the distance between the first i symbols of one text and the first j of the other, only the
// steps from D[i][j] to D[i+1][j] are kept, as bits: each is +1, -1 or 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/bits.h"

namespace understudy {

struct Steps {
  Bits up;    // bit i: D[i+1][j] is D[i][j] + 1
  Bits down;  // bit i: D[i+1][j] is D[i][j] - 1

  bool operator==(const Steps&) const = default;
};

// What a block passes on to the next: whether D[i][j+1] is D[i][j] + 1, or D[i][j] - 1, where i is between
// them.
struct Carried {
  Bits up = 1;  // D[0][j] = j
  Bits down = 0;

  bool operator==(const Carried&) const = default;
};

// From the steps of one block and one j to those of the next j. marks: the bits where the first text has the
// next symbol of the second.
inline Steps advance_block(const Steps& before, Bits marks, Carried& carried) {
  const auto [up, down] = before;
  const Bits equal = marks | carried.down;
  const Bits diagonal = (((equal & up) + up) ^ up) | equal | down;  // D[i+1][j+1] is D[i][j]
  const Bits across_up = down | ~(diagonal | up);
  const Bits across_down = diagonal & up;
  const Bits shifted_up = across_up << 1 | carried.up;
  const Bits shifted_down = across_down << 1 | carried.down;
  carried = {across_up >> (kBits - 1), across_down >> (kBits - 1)};
  return {shifted_down | ~(diagonal | shifted_up), shifted_up & diagonal};
}

// The same for all blocks; before and after may be the same memory. marks(b) are those of block b.
template <class Marks>
void advance_steps(const Steps* before, Steps* after, std::size_t blocks, Marks&& marks) {
  Carried carried;
  for (std::size_t b = 0; b < blocks; ++b) after[b] = advance_block(before[b], marks(b), carried);
}

// The distance of one text, given as small numbers, to any number of others.
class BitDistance {
 public:
  // What it takes to keep where a text has its symbols.
  static std::size_t bytes(std::size_t symbols, std::size_t kinds) {
    return kinds * ((symbols + kBits - 1) / kBits) * sizeof(Bits);
  }

  // Numbers are below `kinds`; those of other texts too. The first symbol is at bit `offset` of the first
  // block: what is before it costs nothing.
  void start(std::span<const std::uint32_t> text, std::size_t kinds, std::size_t offset = 0) {
    offset_ = offset;
    end_ = offset + text.size();
    blocks_ = (end_ + kBits - 1) / kBits;
    marks_.assign(kinds * blocks_, 0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t bit = offset + i;
      marks_[text[i] * blocks_ + bit / kBits] |= Bits{1} << (bit % kBits);
    }
  }

  std::size_t blocks() const { return blocks_; }
  const Bits* marks(std::uint32_t symbol) const { return marks_.data() + symbol * blocks_; }

  // The steps before the first symbol of another text: D[i][0] = i.
  void begin(Steps* steps) const {
    for (std::size_t b = 0; b < blocks_; ++b) steps[b] = {b == 0 ? ~Bits{0} << offset_ : ~Bits{0}, 0};
  }

  void advance(std::uint32_t symbol, const Steps* before, Steps* after) const {
    const Bits* const marks_here = marks(symbol);
    advance_steps(before, after, blocks_, [marks_here](std::size_t b) { return marks_here[b]; });
  }

  // The same for some blocks only, as if D grew by 1 before the first of them: never too little, and right
  // where the cheapest way lies in these blocks.
  void advance(std::uint32_t symbol, Steps* steps, std::size_t first, std::size_t last) const {
    const Bits* const marks_here = marks(symbol) + first;
    advance_steps(steps + first, steps + first, last + 1 - first,
                  [marks_here](std::size_t b) { return marks_here[b]; });
  }

  // The bits of a block that are steps of the text.
  Bits used(std::size_t block) const {
    const std::size_t rest = end_ - block * kBits;
    const Bits below = rest < kBits ? (Bits{1} << rest) - 1 : ~Bits{0};
    return block == 0 ? below & ~Bits{0} << offset_ : below;
  }

  // The distance to so many symbols of another text, after which the steps are these.
  std::int64_t distance(const Steps* steps, std::size_t symbols) const {
    auto sum = static_cast<std::int64_t>(symbols);
    for (std::size_t b = 0; b < blocks_; ++b) {
      sum += count_bits(steps[b].up & used(b)) - count_bits(steps[b].down & used(b));
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
  std::size_t offset_ = 0;
  std::size_t end_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Bits> marks_;  // by symbol: where the text has it
  std::vector<Steps> row_;
};

}  // namespace understudy
