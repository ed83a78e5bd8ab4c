// The edit distance between two sequences of words within Tercom's beam, which is one of costs.
//
// Of the ways to turn the first i words of the hypothesis into the first j of the reference, those are left
// out that cost over `beam` more than the cheapest one into row i that ends in a match or a substitution. So
// the distance may be larger than the true one, but not where that is no larger than the beam: no cell of a
// cheapest way is then left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "edit/word_alignment.h"

namespace understudy {

class CostBeam {
 public:
  void start(const std::vector<std::uint32_t>& reference, std::int32_t beam);

  // Makes this the current hypothesis, and returns its distance. Throws TooLong: in texts with little in
  // common the beam leaves out next to nothing.
  std::int64_t set_current(const std::vector<std::uint32_t>& words);

  // The distance of another order of the current hypothesis, which differs from it in [from, to) only.
  std::int64_t distance(const std::vector<std::uint32_t>& words, std::size_t from, std::size_t to);

  // How the words of the current hypothesis are aligned.
  void align(const std::vector<std::uint32_t>& words, WordAlignment& alignment) const;

 private:
  struct Row {
    std::size_t first, end;  // columns: no other cell is kept
    std::size_t start;       // where their costs begin in costs_
  };

  void advance(std::uint32_t word, bool is_last);
  std::int32_t cost(std::size_t row, std::size_t column) const;
  std::optional<std::int32_t> rejoined(std::size_t row) const;

  const std::vector<std::uint32_t>* reference_ = nullptr;
  std::int32_t beam_ = 0;
  std::vector<std::int32_t> above_, now_;  // two rows
  std::size_t first_ = 0, end_ = 0;        // the columns of now_ outside of which no cell is kept
  std::vector<Row> rows_;                  // of the current hypothesis
  std::vector<std::int32_t> costs_;        // what they keep
};

}  // namespace understudy
