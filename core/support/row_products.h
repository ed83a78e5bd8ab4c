// What the layers of a network do with rows of numbers of single precision.
#pragma once

#include <cstddef>

namespace understudy {

// results[r][o] = the sum over i of rows[r][i] * weights[o][i]; all of them row by row.
//
// Every sum is taken in the order of i, each product added to it with one rounding where the processor can do
// that (all of ARM's 64 bits, x86 since 2013). So the bits of a row of results depend on that row and on the
// weights, not on the number of rows or its place among them: what libraries of linear algebra do not
// promise.
//
// `any_processor`: without the instructions that only some have.
void row_products(const float* rows, std::size_t row_count, const float* weights, std::size_t outputs,
                  std::size_t inputs, float* results, bool any_processor = false);

// results[r] = the largest of rows[r], which has at least one number; they are numbers.
void row_maxima(const float* rows, std::size_t row_count, std::size_t width, float* results);

}  // namespace understudy
