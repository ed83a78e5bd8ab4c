// A token as the matching sees it: its bytes, and a key that tells most tokens apart at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ngram/equal_ngrams.h"

namespace understudy {

inline std::uint64_t load64(const char* p) {
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

struct Token {
  const char* text;
  std::size_t length;
  std::uint64_t key;  // up to 8 bytes: the bytes themselves, one to one for a given length; else a hash

  static Token of(const char* begin, const char* end, const char* limit) {
    const auto length = static_cast<std::size_t>(end - begin);
    return {begin, length, length <= 8 ? pack(begin, length, limit) : hash(begin, length)};
  }

  bool operator==(const Token& other) const {
    return key == other.key && length == other.length &&
           (length <= 8 || std::memcmp(text, other.text, length) == 0);
  }

 private:
  static std::uint64_t pack(const char* p, std::size_t length, const char* limit) {
    if (limit - p < 8) {
      char padded[8] = {};
      std::memcpy(padded, p, length);
      return load64(padded);
    }
    const std::uint64_t unused = 64 - 8 * length;  // bits; a token has at least one byte
    if constexpr (std::endian::native == std::endian::little) return load64(p) << unused >> unused;
    return load64(p) >> unused << unused;
  }

  static std::uint64_t hash(const char* p, std::size_t length) {
    std::uint64_t state = length;
    for (std::size_t i = 0; i + 8 < length; i += 8) state = scramble(state ^ load64(p + i));
    return scramble(state ^ load64(p + length - 8));
  }
};

// Tokens too long to be their own key must be compared byte by byte.
inline bool looks_like(const Token& a, const Token& b) { return (a.key == b.key) & (a.length == b.length); }
inline bool needs_proof(const Token& token) { return token.length > 8; }

struct TokenHash {
  std::uint64_t operator()(const Token& token) const { return scramble(token.key + token.length); }
};

// Numbers of tokens.
using Vocabulary = GenerationTable<Token, TokenHash>;

}  // namespace understudy
