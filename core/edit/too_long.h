// Texts that are too long to be compared in the memory that one segment may take.
//
// Tables that grow with the product of two lengths take more memory than any machine has before they take
// more time than anyone waits. So whoever makes one asks first.
#pragma once

#include <cstddef>
#include <exception>

namespace understudy {

struct TooLong : std::exception {
  TooLong(std::size_t hypothesis_words, std::size_t reference_words)
      : hypothesis(hypothesis_words), reference(reference_words) {}
  const char* what() const noexcept override { return "a text too long to be compared"; }

  std::size_t hypothesis, reference;  // lengths in words
  std::size_t segment = 0;
};

inline constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // for the tables of one segment

inline void refuse_if_too_long(std::size_t bytes, std::size_t hypothesis_words, std::size_t reference_words) {
  if (bytes > kMostBytes) throw TooLong(hypothesis_words, reference_words);
}

// Counts a segment, so that an error knows which it was.
template <class Count>
void count_segment(std::size_t segment, Count&& count) {
  try {
    count();
  } catch (TooLong& error) {
    error.segment = segment;
    throw;
  }
}

}  // namespace understudy
