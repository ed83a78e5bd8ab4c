#include "edit/beam_distance.h"

#include <algorithm>
#include <cmath>

#include "edit/too_long.h"

namespace understudy {

namespace {

constexpr Bits kAll = ~Bits{0};

Bits from_bit(std::size_t n) { return n < kBits ? kAll << n : 0; }

// One row from the row above it, 64 columns at a time: the parts that a block hands on to the next.
struct Carry {
  Bits sum = 0;
  Bits up;        // the cell left of the block is one more than the cell above it,
  Bits down = 0;  // or one less
};

struct Step {
  Bits same_as_diagonal, one_more_than_above;
};

Step step(Bits& rises, Bits& falls, Bits matches, Bits first, Carry& carry) {
  const Bits matched_rises = matches & rises;
  Bits sum = rises + matched_rises;
  Bits carried = sum < matched_rises ? 1 : 0;
  sum += carry.sum;
  carried |= sum < carry.sum ? 1 : 0;
  const Bits same = (sum ^ rises) | matches | falls;
  const Bits up = falls | ~(same | rises);
  const Bits down = rises & same;
  const Bits up_left = (up << 1) | carry.up | first;
  const Bits down_left = ((down << 1) | carry.down) & ~first;
  carry = {carried, up >> (kBits - 1), down >> (kBits - 1)};
  rises = down_left | ~(same | up_left);
  falls = up_left & same;
  return {same, up};
}

std::int64_t difference(Bits rises, Bits falls) { return count_bits(rises) - count_bits(falls); }

}  // namespace

void BeamDistance::start(const std::vector<std::uint32_t>& reference, const WordPlaces& places,
                         std::size_t hypothesis_length, std::size_t beam) {
  reference_ = &reference;
  places_ = &places;
  reference_length_ = reference.size();
  hypothesis_length_ = hypothesis_length;
  blocks_ = reference_length_ / kBits + 1;
  plan(beam);

  if (costs_.size() <= hypothesis_length_) costs_.resize(hypothesis_length_ + 1);
  now_.rises.assign(blocks_, kAll);  // of the row before the first word: 0, 1, 2, ...
  now_.falls.assign(blocks_, 0);
  std::fill_n(kept_.begin(), blocks_, KeptBlock{kAll, 0, 0, 0});
  costs_[0] = 0;
}

// The columns of every row. Floating point decides them, in the order of operations of sacreBLEU.
void BeamDistance::plan(std::size_t beam) {
  const auto columns = static_cast<std::int64_t>(reference_length_) + 1;
  const auto rows = hypothesis_length_;
  const double ratio = rows == 0 ? 1.0 : static_cast<double>(reference_length_) / static_cast<double>(rows);
  auto width = static_cast<std::int64_t>(std::min(beam, reference_length_ + 1));  // there is no more
  // So that a row has cells in common with the row above it, however long the reference.
  if (static_cast<double>(width) < ratio / 2) {
    width = static_cast<std::int64_t>(std::ceil(ratio / 2 + static_cast<double>(width)));
  }
  if (beam == 0) width = columns;

  if (windows_.size() <= rows) windows_.resize(rows + 1);
  windows_[0] = {0, reference_length_ + 1, 0, false, 0, blocks_, 0, 0, 1, from_bit(1), 0};
  std::size_t stored = blocks_;
  for (std::size_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
    Window& window = windows_[i];
    window.begin = static_cast<std::size_t>(std::max<std::int64_t>(0, diagonal - width));
    window.end = static_cast<std::size_t>(i == rows ? columns : std::min(columns, diagonal + width));
    window.previous_end = windows_[i - 1].end;
    window.moved = window.begin > windows_[i - 1].begin;
    window.first_block = window.begin / kBits;
    window.end_block = (window.end - 1) / kBits + 1;
    window.stored = stored;
    stored += window.end_block - window.first_block;
    window.matching = from_bit(window.begin) & ~from_bit(window.previous_end + 1);
    window.first = Bits{1} << window.begin % kBits;
    window.inner = from_bit(window.begin + 1);
    window.beyond = from_bit(window.end);
  }
  refuse_if_too_long(stored * sizeof(KeptBlock), hypothesis_length_, reference_length_);
  if (kept_.size() < stored) kept_.resize(stored);
}

void BeamDistance::load(std::size_t row) {
  const Window& window = windows_[row];
  const KeptBlock* kept = &kept_[window.stored];
  for (std::size_t block = window.first_block; block < window.end_block; ++block, ++kept) {
    now_.rises[block] = kept->rises;
    now_.falls[block] = kept->falls;
  }
  now_.cost = costs_[row];
}

// From the row before `row`, which is in now_, to `row`, whose blocks are kept if there is a place for them.
void BeamDistance::advance(std::size_t row, std::uint32_t word, KeptBlock* kept) {
  const Window& window = windows_[row];
  if (blocks_ == 1) return advance_block(row, word, kept);

  const std::size_t previous_begin = windows_[row - 1].begin;
  for (std::size_t block = windows_[row - 1].end_block; block < window.end_block; ++block) {
    now_.rises[block] = kAll;
    now_.falls[block] = 0;
  }
  for (std::size_t block = previous_begin / kBits; block <= window.first_block; ++block) {
    Bits passed = kAll;
    if (block == previous_begin / kBits) passed &= from_bit(previous_begin % kBits + 1);
    if (block == window.first_block) passed &= ~from_bit(window.begin % kBits + 1);
    now_.cost += difference(now_.rises[block] & passed, now_.falls[block] & passed);
  }
  if (!window.moved) {
    now_.rises[window.first_block] &= ~window.first;
    now_.falls[window.first_block] |= window.first;
  }

  Carry carry{0, 0, 0};
  const WordPlaces::Block* places = places_->from(word, window.first_block);
  const WordPlaces::Block* const end_of_places = places_->end(word);
  for (std::size_t block = window.first_block; block < window.end_block; ++block) {
    const bool is_first = block == window.first_block;
    Bits matches = places != end_of_places && places->block == block ? (places++)->bits : 0;
    if (is_first) matches &= from_bit(window.begin % kBits);
    if (block >= (window.previous_end + 1) / kBits) {
      const std::size_t bits_before =
          (window.previous_end + 1) - std::min(window.previous_end + 1, block * kBits);
      matches &= ~from_bit(bits_before);
    }
    const Bits first = is_first ? window.first : 0;
    const Bits rose_before = now_.rises[block];
    const Step done = step(now_.rises[block], now_.falls[block], matches, first, carry);
    if (is_first) {
      now_.cost += (done.one_more_than_above & first) != 0              ? 1
                   : (rose_before & done.same_as_diagonal & first) != 0 ? -1
                                                                        : 0;
    }
    if (block + 1 == window.end_block) {
      const Bits beyond = from_bit(window.end - block * kBits);
      now_.rises[block] |= beyond;
      now_.falls[block] &= ~beyond;
    }
    if (kept != nullptr) {
      *kept++ = {now_.rises[block], now_.falls[block], done.same_as_diagonal, done.one_more_than_above};
    }
  }
}

// The same where all columns fit into one block.
void BeamDistance::advance_block(std::size_t row, std::uint32_t word, KeptBlock* kept) {
  const Window& window = windows_[row];
  Bits rises = now_.rises[0];
  Bits falls = now_.falls[0];
  if (window.moved) {
    const Bits passed = windows_[row - 1].inner & ~window.inner;
    now_.cost += difference(rises & passed, falls & passed);
  } else {
    rises &= ~window.first;
    falls |= window.first;
  }
  const Bits rose_before = rises;
  Carry carry{0, 0, 0};
  const Step done = step(rises, falls, places_->in_only_block(word) & window.matching, window.first, carry);
  now_.cost += (done.one_more_than_above & window.first) != 0              ? 1
               : (rose_before & done.same_as_diagonal & window.first) != 0 ? -1
                                                                           : 0;
  now_.rises[0] = rises | window.beyond;
  now_.falls[0] = falls & ~window.beyond;
  if (kept != nullptr) {
    *kept = {now_.rises[0], now_.falls[0], done.same_as_diagonal, done.one_more_than_above};
  }
}

// Of the last column of the last row.
std::int64_t BeamDistance::last_cost() const {
  const Window& window = windows_[hypothesis_length_];
  std::int64_t cost = now_.cost;
  for (std::size_t block = window.begin / kBits; block < blocks_; ++block) {
    Bits counted = kAll;
    if (block == window.begin / kBits) counted &= from_bit(window.begin % kBits + 1);
    if (block == blocks_ - 1) counted &= ~from_bit(reference_length_ % kBits + 1);
    cost += difference(now_.rises[block] & counted, now_.falls[block] & counted);
  }
  return cost;
}

// Whether the row now_ differs from that of the current hypothesis by a constant: then so do all that follow.
bool BeamDistance::rejoined(std::size_t row) const {
  const Window& window = windows_[row];
  Bits different = 0;
  Bits counted = from_bit(window.begin % kBits + 1);
  const KeptBlock* kept = &kept_[window.stored];
  for (std::size_t block = window.first_block; block < window.end_block; ++block, ++kept) {
    different |= ((now_.rises[block] ^ kept->rises) | (now_.falls[block] ^ kept->falls)) & counted;
    counted = kAll;
  }
  return different == 0;
}

std::int64_t BeamDistance::set_current(const std::vector<std::uint32_t>& words, std::size_t from) {
  load(from);
  for (std::size_t row = from + 1; row <= hypothesis_length_; ++row) {
    advance(row, words[row - 1], &kept_[windows_[row].stored]);
    costs_[row] = now_.cost;
  }
  current_distance_ = last_cost();
  return current_distance_;
}

std::int64_t BeamDistance::distance(const std::vector<std::uint32_t>& words, std::size_t from,
                                    std::size_t to) {
  load(from);
  for (std::size_t row = from + 1; row <= hypothesis_length_; ++row) {
    advance(row, words[row - 1], nullptr);
    if (row >= to && rejoined(row)) return current_distance_ + now_.cost - costs_[row];
  }
  return last_cost();
}

void BeamDistance::align(const std::vector<std::uint32_t>& words, WordAlignment& alignment) const {
  AlignmentTrace trace(alignment, hypothesis_length_, reference_length_);
  while (!trace.done()) {
    // Of equally cheap ways the first of: match or substitution, insertion, deletion (as Tercom).
    const std::size_t i = trace.row;
    const std::size_t j = trace.column;
    const Window& window = windows_[i];
    if (i == 0 || j > window.previous_end) {
      trace.remove();  // nothing above or diagonally above
    } else if (j == window.begin && !window.moved) {
      trace.insert();  // nothing to the left or diagonally above
    } else if (words[i - 1] == (*reference_)[j - 1]) {
      trace.match();
    } else {
      const KeptBlock& kept = kept_[window.stored + j / kBits - window.first_block];
      if ((kept.same_as_diagonal >> j % kBits & 1) == 0) {
        trace.substitute();
      } else if ((kept.one_more_than_above >> j % kBits & 1) != 0) {
        trace.insert();
      } else {
        trace.remove();
      }
    }
  }
}

}  // namespace understudy
