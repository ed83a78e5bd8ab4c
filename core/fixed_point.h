// Fractions as whole numbers, whose sums do not depend on the order of adding.
//
// A number is cut off at 2^-53; its units of 2^-24 and the rest below them are two whole numbers, summed
// apart. Both sums stay below 2^63 for more than 10^10 numbers up to 50, and below 2^53 (exact as a double)
// for more than 10^7.
#pragma once

#include <cmath>
#include <cstdint>

namespace understudy {

inline constexpr unsigned kWholeBits = 24;
inline constexpr unsigned kWholeAndRestBits = 53;

// pair[0]: the units, pair[1]: the rest. The number is not negative, and below 2^39.
inline void split_fraction(double number, std::int64_t* pair) {
  const double units = std::ldexp(number, kWholeBits);
  const double whole = std::floor(units);
  pair[0] = static_cast<std::int64_t>(whole);
  pair[1] = static_cast<std::int64_t>(std::ldexp(units - whole, kWholeAndRestBits - kWholeBits));
}

}  // namespace understudy
