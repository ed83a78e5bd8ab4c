// Sets of positions as bits, 64 to a word: what comparing texts in bits is made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy {

using Bits = std::uint64_t;
inline constexpr std::size_t kBits = 64;

// Without the instruction, which not every machine has, std::popcount is the call of a function.
inline std::int32_t count_bits(Bits bits) {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<std::int32_t>(bits * 0x0101010101010101 >> 56);
}

}  // namespace understudy
