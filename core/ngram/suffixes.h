// The suffixes of a sequence of numbers in sorted order, and how much neighbours have in common: every
// question of how often a stretch of text occurs is answered there, however long the text repeats itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace understudy {

class SortedSuffixes {
 public:
  // Sorts by ever longer beginnings: 1, 2, 4, ... numbers, each by counting (Manber and Myers 1990). The
  // numbers are below `kinds`.
  void start(std::span<const std::uint32_t> text, std::size_t kinds) {
    const std::size_t size = text.size();
    for (std::vector<std::uint32_t>* list : {&order_, &rank_, &by_second_, &new_rank_, &common_}) {
      if (list->size() < size) list->resize(size);
    }
    size_ = size;
    for (std::uint32_t i = 0; i < size; ++i) {
      rank_[i] = text[i];
      by_second_[i] = i;
    }
    sort_by_rank(kinds);
    std::size_t classes = rank_again(0);
    for (std::size_t sorted = 1; classes < size; sorted *= 2) {
      // Suffixes with nothing behind the first `sorted` numbers come first; the others by what is behind.
      std::size_t filled = 0;
      for (std::size_t i = size - sorted; i < size; ++i) by_second_[filled++] = static_cast<std::uint32_t>(i);
      for (std::size_t p = 0; p < size; ++p) {
        if (order_[p] >= sorted) by_second_[filled++] = order_[p] - static_cast<std::uint32_t>(sorted);
      }
      sort_by_rank(classes);
      classes = rank_again(sorted);
    }
    compare_neighbours(text);
  }

  std::size_t size() const { return size_; }
  // Where the suffix of that rank starts.
  std::uint32_t operator[](std::size_t rank) const { return order_[rank]; }
  // How many numbers it has in common with the one before it; 0 for the first.
  std::uint32_t in_common(std::size_t rank) const { return common_[rank]; }

 private:
  // by_second_ into order_, by rank_; equal ones stay in their order.
  void sort_by_rank(std::size_t kinds) {
    starts_.assign(kinds + 1, 0);
    for (std::size_t i = 0; i < size_; ++i) ++starts_[rank_[i] + 1];
    for (std::size_t kind = 1; kind < kinds; ++kind) starts_[kind] += starts_[kind - 1];
    for (std::size_t i = 0; i < size_; ++i) order_[starts_[rank_[by_second_[i]]]++] = by_second_[i];
  }

  // New ranks from the order by two old ones, `distance` apart (0: by one). Returns how many there are.
  std::size_t rank_again(std::size_t distance) {
    const auto second = [&](std::size_t start) {
      return start + distance < size_ ? std::int64_t{rank_[start + distance]} : -1;
    };
    std::uint32_t next = 0;
    for (std::size_t p = 0; p < size_; ++p) {
      if (p > 0) {
        const std::uint32_t one = order_[p - 1];
        const std::uint32_t other = order_[p];
        next += rank_[one] != rank_[other] || second(one) != second(other) ? 1 : 0;
      }
      new_rank_[order_[p]] = next;
    }
    std::swap(rank_, new_rank_);
    return size_ == 0 ? 0 : std::size_t{next} + 1;
  }

  // In the order of the text, where each suffix has at most one number less in common with its neighbour than
  // the suffix before it (Kasai and others 2001).
  void compare_neighbours(std::span<const std::uint32_t> text) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t rank = rank_[i];
      if (rank == 0) {
        common_[0] = 0;
        equal = 0;
        continue;
      }
      const std::size_t before = order_[rank - 1];
      while (i + equal < size_ && before + equal < size_ && text[i + equal] == text[before + equal]) ++equal;
      common_[rank] = static_cast<std::uint32_t>(equal);
      equal -= equal > 0 ? 1 : 0;
    }
  }

  std::size_t size_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> by_second_;
  std::vector<std::uint32_t> new_rank_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> common_;
};

}  // namespace understudy
