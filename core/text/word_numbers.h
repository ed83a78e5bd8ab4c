// The words of a whole set of texts by number: what metrics that must know all references count by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/token.h"

namespace understudy {

// A number that depends on the words of a text and their order.
struct TextFingerprint {
  std::uint64_t state = 0x243F6A8885A308D3;  // of no text: the digits of pi, which are no word's key

  // The length apart from the key, for "a" and "a" with U+0000 behind it have the same.
  void add(const Token& token) { state = scramble(state ^ token.key) + token.length; }
};

// Every word of the texts, numbered from 1. It keeps its own copy of the words.
class WordNumbers {
 public:
  std::uint32_t find(const Token& token) const;  // 0 if it is not there
  std::uint32_t find_or_add(const Token& token);
  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  std::string_view operator[](std::uint32_t number) const { return words_[number - 1]; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t length = 0;
    std::uint32_t number = 0;  // 0: the slot is free
  };
  bool holds(const Entry& entry, const Token& token) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::string> words_;
};

// Here, so that it can be part of the loops that look words up.
inline bool WordNumbers::holds(const Entry& entry, const Token& token) const {
  if (entry.key != token.key || entry.length != token.length) return false;
  return token.length <= 8 || words_[entry.number - 1] == std::string_view(token.text, token.length);
}

inline std::uint32_t WordNumbers::find(const Token& token) const {
  if (entries_.empty()) return 0;
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t slot = TokenHash{}(token)&mask;; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slot];
    if (entry.number == 0 || holds(entry, token)) return entry.number;
  }
}

}  // namespace understudy
