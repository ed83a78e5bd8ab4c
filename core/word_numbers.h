// The words of a whole set of texts by number: what metrics that must know all references count by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "token.h"

namespace understudy {

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

}  // namespace understudy
