#include "text/word_numbers.h"

#include <algorithm>

namespace understudy {

std::uint32_t WordNumbers::find_or_add(const Token& token) {
  if (const std::uint32_t number = find(token)) return number;
  if (2 * (words_.size() + 1) > entries_.size()) grow();
  words_.emplace_back(token.text, token.length);
  const std::size_t mask = entries_.size() - 1;
  std::size_t slot = TokenHash{}(token)&mask;
  while (entries_[slot].number != 0) slot = (slot + 1) & mask;
  entries_[slot] = {token.key, static_cast<std::uint32_t>(token.length), size()};
  return size();
}

void WordNumbers::grow() {
  std::vector<Entry> old(std::max<std::size_t>(1024, 2 * entries_.size()));
  old.swap(entries_);
  const std::size_t mask = entries_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.number == 0) continue;
    std::size_t slot = TokenHash{}({nullptr, entry.length, entry.key, 0}) & mask;
    while (entries_[slot].number != 0) slot = (slot + 1) & mask;
    entries_[slot] = entry;
  }
}

}  // namespace understudy
