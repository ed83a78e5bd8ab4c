// A token as the matching sees it: its bytes, and a key that tells most tokens apart at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ngram/equal_ngrams.h"

namespace understudy {

inline std::uint64_t load64(const char* p) {
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Where to cut 16 bytes: word n has the first n - 8 bytes of 8 set, none up to 8, all from 16 on.
inline constexpr std::array<std::uint64_t, 25> kFirstBytes = [] {
  std::array<std::uint64_t, 25> masks{};
  for (std::size_t n = 9; n < masks.size(); ++n) {
    const std::size_t unused = n < 16 ? 8 * (16 - n) : 0;  // bits
    constexpr bool kLittle = std::endian::native == std::endian::little;
    masks[n] = kLittle ? ~std::uint64_t{0} >> unused : ~std::uint64_t{0} << unused;
  }
  return masks;
}();

struct Token {
  const char* text;
  std::size_t length;
  std::uint64_t key;   // of up to 8 bytes: the bytes themselves, one to one for a given length; else a hash
  std::uint64_t rest;  // of up to 16 bytes: those from the ninth on. Key and rest are one to one for a length

  static Token of(const char* begin, const char* end, const char* limit) {
    const auto length = static_cast<std::size_t>(end - begin);
    if (length > 16) return {begin, length, hash(begin, length), 0};
    if (limit - begin < 16) {
      char padded[16] = {};
      copy_few(padded, begin, length);
      return short_one(begin, length, padded);
    }
    return short_one(begin, length, begin);
  }

  bool operator==(const Token& other) const {
    return key == other.key && rest == other.rest && length == other.length &&
           (length <= 16 || std::memcmp(text, other.text, length) == 0);
  }

 private:
  // Without branches on the length, which no processor predicts. Of equal rests, equal keys have equal heads.
  static Token short_one(const char* text, std::size_t length, const char* bytes) {
    const std::uint64_t head = load64(bytes) & kFirstBytes[length + 8];
    const std::uint64_t rest = load64(bytes + 8) & kFirstBytes[length];
    return {text, length, head ^ scramble(rest), rest};
  }

  // A call of memcpy takes longer.
  static void copy_few(char* to, const char* from, std::size_t length) {
    const auto copy_ends = [&](auto size) {
      std::memcpy(to, from, size);
      std::memcpy(to + length - size, from + length - size, size);
    };
    if (length >= 8) return copy_ends(std::integral_constant<std::size_t, 8>());
    if (length >= 4) return copy_ends(std::integral_constant<std::size_t, 4>());
    for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
  }

  static std::uint64_t hash(const char* p, std::size_t length) {
    std::uint64_t state = length;
    for (std::size_t i = 0; i + 8 < length; i += 8) state = scramble(state ^ load64(p + i));
    return scramble(state ^ load64(p + length - 8));
  }
};

// Tokens too long for key and rest must be compared byte by byte.
inline std::uint64_t difference(const Token& a, const Token& b) {
  return (a.key ^ b.key) | (a.rest ^ b.rest) | (a.length ^ b.length);
}
inline bool needs_proof(const Token& token) { return token.length > 16; }

struct TokenHash {
  std::uint64_t operator()(const Token& token) const { return scramble(token.key + token.length); }
};

// Numbers of tokens.
using Vocabulary = GenerationTable<Token, TokenHash>;

}  // namespace understudy
