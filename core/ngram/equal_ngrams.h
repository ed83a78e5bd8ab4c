// Finding equal n-grams without comparing hashes: what the metrics that match n-grams are made of.
//
// Every distinct n-gram of the hypothesis gets a number. A token's number is found by its bytes; the number
// of an n-gram by the numbers of the two (n-1)-grams it starts and ends with. Two n-grams are thus equal
// exactly if their numbers are, without comparing hashes. An n-gram that the other side lacks is not followed
// further, since no longer one around it can match, so the work shrinks from order to order.
//
// The loops are written without branches on the data where they can be: whether a word has a match is
// what no processor can predict.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

inline std::uint64_t scramble(std::uint64_t x) {
  // A multiplication moves information upwards only; folding the product brings it down again.
  x *= 0x9E3779B97F4A7C15;
  return x ^ (x >> 32);
}

// 1 if a < b or if x is 0, else 0: by subtraction, since compilers make branches of some comparisons.
inline std::uint64_t below(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} - b) >> 63; }
inline std::uint64_t is_zero(std::uint64_t x) { return ((x | (0 - x)) >> 63) ^ 1; }

// ---------------------------------------------------------------------------------------------------
// A hash table that is never cleared: an entry counts only if it carries the current generation, and a
// new segment is a new generation. Its mask follows the size of the segment at hand, so that a short
// sentence touches only the first few cache lines however large the table has become.

// 0 if two keys look equal. Keys too long to be compared so (see token.h) need a proof; numbers never.
inline std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a ^ b; }
constexpr bool needs_proof(std::uint64_t) { return false; }

template <class Key, class Hash>
class GenerationTable {
 public:
  // With slots for so many keys, and more than half of them free.
  void start(std::size_t most_keys) {
    const std::size_t size = std::bit_ceil(2 * most_keys + 2);
    if (size > entries_.size()) {
      entries_.assign(size, Entry{});
      generation_ = 0;
    }
    mask_ = size - 1;
    if (++generation_ == 0) {  // after 2^32 segments the old stamps would look current
      std::fill(entries_.begin(), entries_.end(), Entry{});
      generation_ = 1;
    }
  }

  // The id of the key, or 0.
  std::uint32_t find(const Key& key) const {
    for (std::size_t slot = Hash{}(key)&mask_;; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      // Whether the key is there is a coin toss, so no branch hangs on it; that the search ends at the first
      // slot is nearly certain. An entry of an earlier generation may point to text that is gone: only its
      // key is looked at.
      const std::uint64_t age = entry.generation ^ generation_;
      const std::uint64_t found = is_zero(age | difference(entry.key, key));
      if ((found & std::uint64_t{needs_proof(key)}) != 0 && !(entry.key == key)) [[unlikely]]
        continue;
      if ((found | (is_zero(age) ^ 1)) != 0) [[likely]]
        return entry.id & static_cast<std::uint32_t>(0 - found);
    }
  }

  // The same for any number of keys: there are slots for more whenever they are needed. A table that is no larger
  // than its keys stays in a nearer cache.
  void start_small() {
    constexpr std::size_t kFew = 256;
    start(kFew);
    keys_ = 0;
  }
  template <class NewId>
  std::uint32_t find_or_add_growing(const Key& key, NewId&& new_id) {
    if (2 * keys_ > mask_) grow();
    return find_or_add(key, [&] {
      ++keys_;
      return new_id();
    });
  }

  // The id of the key; new_id() makes one if it is not there yet.
  template <class NewId>
  std::uint32_t find_or_add(const Key& key, NewId&& new_id) {
    for (std::size_t slot = Hash{}(key)&mask_;; slot = (slot + 1) & mask_) {
      Entry& entry = entries_[slot];
      if (entry.generation != generation_) {
        entry = {key, new_id(), generation_};
        return entry.id;
      }
      if (entry.key == key) return entry.id;
    }
  }

 private:
  struct Entry {
    Key key{};
    std::uint32_t id = 0;
    std::uint32_t generation = 0;
  };

  void grow() {
    std::vector<Entry> current;
    current.reserve(keys_);
    for (std::size_t slot = 0; slot <= mask_; ++slot) {
      if (entries_[slot].generation == generation_) current.push_back(entries_[slot]);
    }
    start(2 * mask_);
    for (const Entry& entry : current) find_or_add(entry.key, [&entry] { return entry.id; });
  }

  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::size_t keys_ = 0;  // if it is growing
  std::uint32_t generation_ = 0;
};

struct NumberHash {
  std::uint64_t operator()(std::uint64_t number) const { return scramble(number); }
};

// Numbers of pairs of numbers, and of whatever else fits into 64 bits.
using NumberTable = GenerationTable<std::uint64_t, NumberHash>;

// ---------------------------------------------------------------------------------------------------

// A list that is filled anew for every segment, with room made beforehand.
template <class T>
class Refilled {
 public:
  void start(std::size_t room) {
    if (values_.size() < room) values_.resize(room);
    count_ = 0;
  }
  // Appends, and keeps it only if asked to: without a branch.
  void append(const T& value, bool keep = true) {
    values_[count_] = value;
    count_ += keep ? 1 : 0;
  }
  void keep_first(std::size_t count) { count_ = count; }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_.data(); }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + count_; }

 private:
  std::vector<T> values_;
  std::size_t count_ = 0;
};

// An n-gram of a text that is worth following: where it starts, and its number.
struct Position {
  std::uint32_t start;
  std::uint32_t number;
};

// The positions of one text. There is always room for one more than there are.
using Positions = Refilled<Position>;

// The three below count in local variables, which stay in registers: a count in memory makes every step wait
// for the one before.

// The positions of symbols: number_of(symbol), 0 to drop it.
template <class Symbol, class NumberOf>
void place(const Refilled<Symbol>& symbols, Positions& positions, NumberOf&& number_of) {
  positions.start(symbols.size() + 1);
  Position* const at = positions.data();
  std::size_t kept = 0;
  std::uint32_t start = 0;
  for (const Symbol& symbol : symbols) {
    const std::uint32_t number = number_of(symbol);
    at[kept] = {start++, number};
    kept += below(0, number);
  }
  positions.keep_first(kept);
}

// Keeps the positions for which keep(number) is 1, and drops those for which it is 0.
template <class Keep>
void filter(Positions& positions, Keep&& keep) {
  const std::size_t count = positions.size();
  Position* const at = positions.data();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Position position = at[i];
    at[kept] = position;
    kept += keep(position.number);
  }
  positions.keep_first(kept);
}

// From n-grams to (n+1)-grams: number_of(pair) for each two neighbours, 0 to drop it.
template <class NumberOf>
void lengthen(Positions& positions, Refilled<std::uint64_t>& pairs, NumberOf&& number_of) {
  const std::size_t count = positions.size();
  pairs.start(count + 1);
  Position* const at = positions.data();
  std::uint64_t* const pair_at = pairs.data();
  std::size_t made = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Position first = at[i];
    const Position second = at[i + 1];
    at[made].start = first.start;
    pair_at[made] = std::uint64_t{first.number} << 32 | second.number;
    made += first.start + 1 == second.start ? 1 : 0;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < made; ++i) {
    const std::uint32_t number = number_of(pair_at[i]);
    at[kept] = {at[i].start, number};
    kept += below(0, number);
  }
  positions.keep_first(kept);
}

}  // namespace understudy
