#include "support/poisson_weights.h"

#include <array>

namespace understudy {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // the increment of SplitMix64

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// 2³² times the chance of at most 0, 1, 2, ... in a Poisson distribution with mean 1, rounded. The chance of
// more than 12 is less than half a unit.
constexpr std::array<std::uint32_t, 12> kAtMost = {1580030169u, 3160060337u, 3950075422u, 4213413783u,
                                                   4279248374u, 4292415292u, 4294609778u, 4294923276u,
                                                   4294962463u, 4294966817u, 4294967253u, 4294967292u};

// By the first bits of a uniform number: the weight that the smallest number with these bits has.
constexpr int kFirstBits = 11;

constexpr std::array<std::uint8_t, std::size_t{1} << kFirstBits> least_weights() {
  std::array<std::uint8_t, std::size_t{1} << kFirstBits> least{};
  for (std::size_t bits = 0; bits < least.size(); ++bits) {
    for (const std::uint32_t most : kAtMost) least[bits] += (bits << (32 - kFirstBits)) >= most;
  }
  return least;
}

constexpr auto kLeast = least_weights();

float drawn(std::uint32_t uniform) {
  std::size_t weight = kLeast[uniform >> (32 - kFirstBits)];
  while (weight < kAtMost.size() && uniform >= kAtMost[weight]) ++weight;
  return static_cast<float>(weight);
}

}  // namespace

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return mixed(hash);
}

void poisson_weights(const std::uint64_t* hashes, std::size_t rows, std::size_t samples, std::uint64_t seed,
                     float* weights) {
  // The seed is mixed first, so that the samples of seed 2 are not those of seed 1 from the second on.
  const std::uint64_t mixed_seed = mixed(seed + kGolden);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint64_t state = mixed(hashes[row] ^ mixed_seed);
    float* of_row = weights + row * samples;
    for (std::size_t sample = 0; sample < samples; sample += 2) {  // two draws from each state
      const std::uint64_t bits = mixed(state += kGolden);
      of_row[sample] = drawn(static_cast<std::uint32_t>(bits >> 32));
      if (sample + 1 < samples) of_row[sample + 1] = drawn(static_cast<std::uint32_t>(bits));
    }
  }
}

}  // namespace understudy
