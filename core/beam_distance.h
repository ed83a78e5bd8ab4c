// The edit distance between two sequences of words within a beam, for many reorderings of one of them.
//
// Cell (i, j) holds the cost of turning the first i words of the hypothesis into the first j of the
// reference. Row i looks only at the columns within `beam` of the diagonal; whatever lies outside is as good
// as infinite. Neighbouring cells differ by at most one, so a row is kept as two bits a column (whether the
// cost rises or falls), and 64 columns are computed at once (Myers 1999, in Hyyrö's form). The beam changes
// little about that:
//
// - Left of the first column of a row there is no cell. Assuming there a cost that never wins gives the same
//   row: one more than the cell above it if the beam moved on, and if it stayed, one more than the cell that
//   is directly above the first.
// - Right of the last column the costs of the row above are assumed to rise by one each. They never win
//   either, except that a word equal to the reference's would make use of one: so matches count only where
//   the cell diagonally above is a real one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.h"
#include "word_alignment.h"

namespace understudy {

class BeamDistance {
 public:
  // Words are numbers; those of the reference are 1 to `vocabulary`, and 0 is any word that it lacks.
  // beam 0 means no beam at all.
  void start(const std::vector<std::uint32_t>& reference, std::size_t vocabulary,
             std::size_t hypothesis_length, std::size_t beam);

  // Makes this the current hypothesis, of which the words before `from` are the same as in the one before.
  // Returns its distance.
  std::int64_t set_current(const std::vector<std::uint32_t>& words, std::size_t from);

  // The distance of another order of the current hypothesis, which differs from it in [from, to) only.
  std::int64_t distance(const std::vector<std::uint32_t>& words, std::size_t from, std::size_t to);

  // How the words of the current hypothesis are aligned.
  void align(const std::vector<std::uint32_t>& words, WordAlignment& alignment) const;

  // Calls visit(position) for the positions [first, end) of the reference where this word stands.
  template <class Visit>
  void positions(std::uint32_t word, std::size_t first, std::size_t end, Visit&& visit) const;

 private:
  struct Window {
    std::size_t begin, end;    // the columns of this row
    std::size_t previous_end;  // and where those of the row above end
    bool moved;                // whether it begins further right than the row above
    std::size_t first_block, end_block;
    Bits matching;  // for a reference of one block: the columns where a match counts,
    Bits first;     // the first column,
    Bits inner;     // all but the first, and
    Bits beyond;    // those right of the last
  };
  struct Row {
    std::vector<Bits> rises, falls;  // per block of columns
    std::int64_t cost = 0;           // of the first column
  };

  void plan(std::size_t beam);
  void load(std::size_t row);
  void advance(std::size_t row, std::uint32_t word, Bits* same_as_diagonal, Bits* one_more_than_above);
  void advance_block(std::size_t row, std::uint32_t word, Bits* same_as_diagonal, Bits* one_more_than_above);
  bool rejoined(std::size_t row) const;
  std::int64_t last_cost() const;
  bool bit(const std::vector<Bits>& bits, std::size_t row, std::size_t column) const {
    return bits[row * blocks_ + column / kBits] >> column % kBits & 1;
  }

  std::size_t reference_length_ = 0;
  std::size_t hypothesis_length_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Bits> matches_;  // [word, block]: bit j if the word is the reference's j-th, counted from 1
  std::vector<Window> windows_;
  Row now_;

  // The rows of the current hypothesis.
  std::vector<Bits> rises_, falls_, same_as_diagonal_, one_more_than_above_;
  std::vector<std::int64_t> costs_;
  std::int64_t current_distance_ = 0;
};

template <class Visit>
void BeamDistance::positions(std::uint32_t word, std::size_t first, std::size_t end, Visit&& visit) const {
  if (first >= end) return;
  const Bits* const bits = matches_.data() + word * blocks_;
  for (std::size_t block = (first + 1) / kBits; block <= end / kBits; ++block) {
    Bits left = bits[block];
    if (block == (first + 1) / kBits) left &= ~Bits{0} << (first + 1) % kBits;
    if (block == end / kBits) left &= ~Bits{0} >> (kBits - 1 - end % kBits);
    for (; left != 0; left &= left - 1) {
      visit(block * kBits + static_cast<std::size_t>(std::countr_zero(left)) - 1);
    }
  }
}

}  // namespace understudy
