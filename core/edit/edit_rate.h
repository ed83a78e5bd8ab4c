// Edits per word of the reference.
#pragma once

#include <algorithm>

namespace understudy {

// In percent. Any number of edits to an empty reference is 100, none is 0.
inline double edit_rate(double edits, double reference_length) {
  // The quotient first: the order of operations decides the last digit, and is sacreBLEU's.
  return 100 * (reference_length > 0 ? edits / reference_length : std::min(edits, 1.0));
}

}  // namespace understudy
