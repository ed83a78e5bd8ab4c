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
//
// Of each row only the blocks within the beam are kept: memory grows with the length of the texts, and not
// with its square. Without a beam it does; see too_long.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edit/word_alignment.h"
#include "edit/word_places.h"
#include "support/bits.h"

namespace understudy {

class BeamDistance {
 public:
  // The reference, and where it has its words, must stay where they are. beam 0 means no beam at all.
  // Throws TooLong.
  void start(const std::vector<std::uint32_t>& reference, const WordPlaces& places,
             std::size_t hypothesis_length, std::size_t beam);

  // Makes this the current hypothesis, of which the words before `from` are the same as in the one before.
  // Returns its distance.
  std::int64_t set_current(const std::vector<std::uint32_t>& words, std::size_t from);

  // The distance of another order of the current hypothesis, which differs from it in [from, to) only.
  std::int64_t distance(const std::vector<std::uint32_t>& words, std::size_t from, std::size_t to);

  // How the words of the current hypothesis are aligned.
  void align(const std::vector<std::uint32_t>& words, WordAlignment& alignment) const;

 private:
  struct Window {
    std::size_t begin, end;    // the columns of this row
    std::size_t previous_end;  // and where those of the row above end
    bool moved;                // whether it begins further right than the row above
    std::size_t first_block, end_block;
    std::size_t stored;  // where its first block is kept in kept_
    Bits matching;       // for a reference of one block: the columns where a match counts,
    Bits first;          // the first column,
    Bits inner;          // all but the first, and
    Bits beyond;         // those right of the last
  };
  struct Row {
    std::vector<Bits> rises, falls;  // per block of columns
    std::int64_t cost = 0;           // of the first column
  };
  struct KeptBlock {
    Bits rises, falls, same_as_diagonal, one_more_than_above;
  };

  void plan(std::size_t beam);
  void load(std::size_t row);
  void advance(std::size_t row, std::uint32_t word, KeptBlock* kept);
  void advance_block(std::size_t row, std::uint32_t word, KeptBlock* kept);
  bool rejoined(std::size_t row) const;
  std::int64_t last_cost() const;

  const std::vector<std::uint32_t>* reference_ = nullptr;
  const WordPlaces* places_ = nullptr;
  std::size_t reference_length_ = 0;
  std::size_t hypothesis_length_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Window> windows_;
  Row now_;

  // The rows of the current hypothesis.
  std::vector<KeptBlock> kept_;
  std::vector<std::int64_t> costs_;
  std::int64_t current_distance_ = 0;
};

}  // namespace understudy
