// Sets of positions as bits, 64 to a word: what comparing texts in bits is made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy {

using Bits = std::uint64_t;
inline constexpr std::size_t kBits = 64;

}  // namespace understudy
