// N-grams, headword chains and subtrees by number, and the hash that names each of them in a model file.
//
// Two parts are equal exactly if their numbers are: a label's number is found by its bytes, that of a longer
// part by the numbers of the two that it is joined of. The hash is the same on every machine: FNV-1a of the
// bytes of a label, mixed, and joined as the parts are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "text/token.h"

namespace understudy {

// The finalizer of SplitMix64 (Steele, Lea & Flood 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_of_label(std::string_view label) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char byte : label) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return mixed(hash);
}

inline std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second) {
  return mixed(first * 0x9E3779B97F4A7C15 + second);
}

class PartNumbers {
 public:
  // Forgets the parts of the segment before. Numbers start at 1.
  void start() {
    vocabulary_.start_small();
    pairs_.start_small();
    parts_.assign(1, Part{});
  }

  // The token's text must live as long as its number is used.
  std::uint32_t of_label(const Token& token) {
    return vocabulary_.find_or_add_growing(token, [&] {
      const std::string_view text{token.text, token.length};
      return added({hash_of_label(text), 0, 0, text});
    });
  }

  std::uint32_t joined(std::uint32_t first, std::uint32_t second) {
    return pairs_.find_or_add_growing(std::uint64_t{first} << 32 | second, [&] {
      return added({hash_of_pair(hash(first), hash(second)), first, second, {}});
    });
  }

  std::size_t size() const { return parts_.size(); }
  std::uint64_t hash(std::uint32_t number) const { return parts_[number].hash; }
  bool is_label(std::uint32_t number) const { return parts_[number].first == 0; }
  std::uint32_t first(std::uint32_t number) const { return parts_[number].first; }
  std::uint32_t second(std::uint32_t number) const { return parts_[number].second; }
  std::string_view label(std::uint32_t number) const { return parts_[number].label; }

 private:
  struct Part {
    std::uint64_t hash = 0;
    std::uint32_t first = 0;  // 0: a label
    std::uint32_t second = 0;
    std::string_view label;
  };

  std::uint32_t added(const Part& part) {
    parts_.push_back(part);
    return static_cast<std::uint32_t>(parts_.size() - 1);
  }

  Vocabulary vocabulary_;
  NumberTable pairs_;
  std::vector<Part> parts_;  // by number
};

}  // namespace understudy
