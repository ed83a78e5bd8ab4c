// Weights of a Poisson bootstrap that depend on the name of a segment, the seed and the number of the sample,
// and on nothing else: not on the order of segments, nor on which of them are in the same part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace understudy {

// A number for the name of a segment, the same on every machine: FNV-1a (Fowler, Noll & Vo), of 64 bits, and
// then the finalizer of SplitMix64, because FNV leaves similar names with similar numbers.
std::uint64_t name_hash(std::string_view name);

// weights[r * samples + s] = how often sample `s` contains the segment whose name has the number hashes[r].
// Each is a draw from the Poisson distribution with mean 1, by SplitMix64 (Steele, Lea & Flood 2014) started
// from the number and the seed.
void poisson_weights(const std::uint64_t* hashes, std::size_t rows, std::size_t samples, std::uint64_t seed,
                     float* weights);

}  // namespace understudy
