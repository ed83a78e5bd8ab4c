// Shifts of phrases that bring a text nearer to another, word by word: CharacTER's first step.
//
// A phrase that starts at word i of the hypothesis and that the reference has at its word j is moved there,
// with all words in which the two agree from then on. The shift that lowers Levenshtein's distance most is
// done, then the best after it, until there is none. Of equally good shifts that counts which gives the
// greatest list of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace understudy {

using Words = std::vector<std::uint32_t>;  // by numbers, whose order is that of the words

class WordShifter {
 public:
  WordShifter();
  WordShifter(WordShifter&&) noexcept;
  ~WordShifter();

  // Shifts the hypothesis's words; returns how many shifts it took. All numbers are below `kinds`.
  // Throws TooLong.
  std::int64_t operator()(const Words& reference, std::size_t kinds, Words& hypothesis);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace understudy
