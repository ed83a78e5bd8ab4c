// Fractions as whole numbers, whose sums do not depend on the order of adding.
//
// A number is cut off at 2^-62; its units of 2^-31 and the rest below them are two whole numbers, summed
// apart. Both sums are exact for more than 10^8 numbers up to 40.
#pragma once

#include <cmath>
#include <cstdint>

namespace understudy {

inline constexpr unsigned kWholeBits = 31;
inline constexpr unsigned kWholeAndRestBits = 62;

// pair[0]: the units, pair[1]: the rest. The number is not negative, and below 2^32.
inline void split_fraction(double number, std::int64_t* pair) {
  const double units = std::ldexp(number, kWholeBits);
  const double whole = std::floor(units);
  pair[0] = static_cast<std::int64_t>(whole);
  pair[1] = static_cast<std::int64_t>(std::ldexp(units - whole, kWholeAndRestBits - kWholeBits));
}

}  // namespace understudy
