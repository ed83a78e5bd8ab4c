#include "support/row_products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#define UNDERSTUDY_AVX2
#include <immintrin.h>
#endif

namespace understudy {
namespace {

constexpr std::size_t kWidth = 16;  // outputs that are summed at once: two registers of AVX2
constexpr std::size_t kHeight = 6;  // rows that are: twelve sums leave room for the weights in 16 registers
constexpr std::size_t kBlock = 96;  // rows that stay in the second cache while all weights pass by

// Weights of `kWidth` outputs, those of the same input side by side: [input][output].
using Panel = const float*;

// Where the sums go, and how far one row of them is from the next.
struct Place {
  float* first;
  std::size_t stride;
};

// The sums of at most `kHeight` rows with the weights of a panel.
using Kernel = void (*)(const float* rows, std::size_t row_count, std::size_t inputs, Panel panel,
                        Place sums);

float multiplied_and_added(float x, float y, float sum) {
#ifdef FP_FAST_FMAF
  return std::fma(x, y, sum);
#else
  return x * y + sum;
#endif
}

void sum_anywhere(const float* rows, std::size_t row_count, std::size_t inputs, Panel panel, Place sums) {
  for (std::size_t row = 0; row < row_count; ++row) {
    std::array<float, kWidth> sum{};
    for (std::size_t i = 0; i < inputs; ++i) {
      const float value = rows[row * inputs + i];
      for (std::size_t o = 0; o < kWidth; ++o) {
        sum[o] = multiplied_and_added(value, panel[i * kWidth + o], sum[o]);
      }
    }
    std::copy(sum.begin(), sum.end(), sums.first + row * sums.stride);
  }
}

#ifdef UNDERSTUDY_AVX2

// Written as folds, not as loops over the rows: with loops GCC 12 keeps the sums in memory, at a third of the
// speed.
template <std::size_t... Row>
__attribute__((target("avx2,fma"))) void sum_rows(const float* rows, std::size_t inputs, Panel panel,
                                                  Place sums, std::index_sequence<Row...>) {
  __m256 low[sizeof...(Row)] = {};
  __m256 high[sizeof...(Row)] = {};
  for (std::size_t i = 0; i < inputs; ++i) {
    const __m256 low_weights = _mm256_loadu_ps(panel + i * kWidth);
    const __m256 high_weights = _mm256_loadu_ps(panel + i * kWidth + kWidth / 2);
    __m256 value;
    ((value = _mm256_broadcast_ss(rows + Row * inputs + i),
      low[Row] = _mm256_fmadd_ps(value, low_weights, low[Row]),
      high[Row] = _mm256_fmadd_ps(value, high_weights, high[Row])),
     ...);
  }
  (_mm256_storeu_ps(sums.first + Row * sums.stride, low[Row]), ...);
  (_mm256_storeu_ps(sums.first + Row * sums.stride + kWidth / 2, high[Row]), ...);
}

void sum_with_avx2(const float* rows, std::size_t row_count, std::size_t inputs, Panel panel, Place sums) {
  switch (row_count) {
    case 1:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<1>());
    case 2:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<2>());
    case 3:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<3>());
    case 4:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<4>());
    case 5:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<5>());
    default:
      return sum_rows(rows, inputs, panel, sums, std::make_index_sequence<kHeight>());
  }
}

#endif

Kernel best_kernel([[maybe_unused]] bool any_processor) {
#ifdef UNDERSTUDY_AVX2
  if (!any_processor && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sum_with_avx2;
#endif
  return sum_anywhere;
}

// All weights as panels, one after another; the last one is filled up with zeros.
std::vector<float> panels_of(const float* weights, std::size_t outputs, std::size_t inputs) {
  const std::size_t count = (outputs + kWidth - 1) / kWidth;
  std::vector<float> panels(count * kWidth * inputs);
  float* place = panels.data();
  for (std::size_t first = 0; first < outputs; first += kWidth) {
    const std::size_t width = std::min(kWidth, outputs - first);
    for (std::size_t i = 0; i < inputs; ++i, place += kWidth) {
      for (std::size_t o = 0; o < width; ++o) place[o] = weights[(first + o) * inputs + i];
    }
  }
  return panels;
}

template <std::size_t Width>
void maxima_of(const float* rows, std::size_t row_count, float* results) {
  for (std::size_t row = 0; row < row_count; ++row) {
    float largest = rows[row * Width];
    for (std::size_t i = 1; i < Width; ++i) largest = std::max(largest, rows[row * Width + i]);
    results[row] = largest;
  }
}

}  // namespace

void row_products(const float* rows, std::size_t row_count, const float* weights, std::size_t outputs,
                  std::size_t inputs, float* results, bool any_processor) {
  const std::vector<float> panels = panels_of(weights, outputs, inputs);
  const Kernel sum = best_kernel(any_processor);
  std::array<float, kHeight * kWidth> aside;  // for the last panel, which may be wider than what is left
  for (std::size_t block = 0; block < row_count; block += kBlock) {
    const std::size_t block_end = std::min(block + kBlock, row_count);
    for (std::size_t first = 0; first < outputs; first += kWidth) {
      const std::size_t width = std::min(kWidth, outputs - first);
      for (std::size_t row = block; row < block_end; row += kHeight) {
        const std::size_t height = std::min(kHeight, block_end - row);
        const Place place{results + row * outputs + first, outputs};
        sum(rows + row * inputs, height, inputs, panels.data() + first * inputs,
            width == kWidth ? place : Place{aside.data(), kWidth});
        if (width == kWidth) continue;
        for (std::size_t r = 0; r < height; ++r) {
          std::copy_n(aside.data() + r * kWidth, width, place.first + r * place.stride);
        }
      }
    }
  }
}

void row_maxima(const float* rows, std::size_t row_count, std::size_t width, float* results) {
  if (width == 2) return maxima_of<2>(rows, row_count, results);  // the usual widths: many rows at once
  if (width == 3) return maxima_of<3>(rows, row_count, results);
  for (std::size_t row = 0; row < row_count; ++row) {
    results[row] = *std::max_element(rows + row * width, rows + (row + 1) * width);
  }
}

}  // namespace understudy
