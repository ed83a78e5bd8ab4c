// Which words of two texts are aligned, and what the others are: written from the last words to the first,
// as a table of edit distances is traced back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

struct WordAlignment {
  std::vector<std::uint8_t> hypothesis_error;  // whether a word of the hypothesis is wrong,
  std::vector<std::uint8_t> reference_error;   // and one of the reference
  std::vector<std::int64_t> aligned;  // for each word of the reference: the last word of the hypothesis
                                      // that stands before it or in its place, -1 if there is none
  std::int64_t insertions = 0;        // words of the hypothesis that the reference lacks
  std::int64_t deletions = 0;         // words of the reference that the hypothesis lacks
  std::int64_t substitutions = 0;
};

class AlignmentTrace {
 public:
  AlignmentTrace(WordAlignment& alignment, std::size_t hypothesis_length, std::size_t reference_length)
      : row(hypothesis_length), column(reference_length), alignment_(alignment) {
    alignment.hypothesis_error.assign(hypothesis_length, 0);
    alignment.reference_error.assign(reference_length, 0);
    alignment.aligned.resize(reference_length);
    alignment.insertions = alignment.deletions = alignment.substitutions = 0;
  }

  bool done() const { return row == 0 && column == 0; }

  void insert() {
    --row;
    alignment_.hypothesis_error[row] = 1;
    ++alignment_.insertions;
  }
  void remove() {
    --column;
    alignment_.aligned[column] = static_cast<std::int64_t>(row) - 1;
    alignment_.reference_error[column] = 1;
    ++alignment_.deletions;
  }
  void match() { pair(0); }
  void substitute() {
    pair(1);
    ++alignment_.substitutions;
  }

  std::size_t row, column;  // how many words of the hypothesis and of the reference are left

 private:
  void pair(std::uint8_t error) {
    --row;
    --column;
    alignment_.aligned[column] = static_cast<std::int64_t>(row);
    alignment_.hypothesis_error[row] = error;
    alignment_.reference_error[column] = error;
  }

  WordAlignment& alignment_;
};

}  // namespace understudy
