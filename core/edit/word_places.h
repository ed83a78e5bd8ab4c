// Where a text has each of its words, as bits: 64 places to a block, and of a word only the blocks it stands
// in. So memory grows with the length of the text, whatever its vocabulary.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/bits.h"

namespace understudy {

class WordPlaces {
 public:
  struct Block {
    std::size_t block;
    Bits bits;  // bit j % 64 if the word is the text's j-th, counted from 1
  };

  // Words are numbers from 1 to `vocabulary`, of which the text has all; 0 is a word that it lacks.
  void start(const std::vector<std::uint32_t>& text, std::size_t vocabulary) {
    begins_.assign(vocabulary + 2, 0);
    begins_[1] = 1;
    seen_.assign(vocabulary + 1, ~std::size_t{0});
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const std::uint32_t word = text[j - 1];
      if (std::exchange(seen_[word], j / kBits) != j / kBits) ++begins_[word + 1];
    }
    for (std::size_t word = 0; word <= vocabulary; ++word) begins_[word + 1] += begins_[word];

    blocks_.resize(begins_.back());
    blocks_[0] = {0, 0};
    seen_.assign(vocabulary + 1, 0);  // how many blocks of the word are there
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const std::uint32_t word = text[j - 1];
      Block* const first = &blocks_[begins_[word]];
      std::size_t& count = seen_[word];
      if (count == 0 || first[count - 1].block != j / kBits) first[count++] = {j / kBits, 0};
      first[count - 1].bits |= Bits{1} << j % kBits;
    }
  }

  // The blocks of a word from this one on, up to end(word).
  const Block* from(std::uint32_t word, std::size_t block) const {
    return std::lower_bound(blocks_.data() + begins_[word], end(word), block,
                            [](const Block& one, std::size_t wanted) { return one.block < wanted; });
  }
  const Block* end(std::uint32_t word) const { return blocks_.data() + begins_[word + 1]; }

  // The places of a word in a text of one block: every word has one entry then, word 0 an empty one.
  Bits in_only_block(std::uint32_t word) const { return blocks_[word].bits; }

  // Calls visit(position) for the positions [first, last) of the text, counted from 0, where the word stands.
  template <class Visit>
  void positions(std::uint32_t word, std::size_t first, std::size_t last, Visit&& visit) const {
    if (first >= last) return;
    const Block* const end_of_word = end(word);
    for (const Block* at = from(word, (first + 1) / kBits); at != end_of_word && at->block <= last / kBits;
         ++at) {
      Bits left = at->bits;
      if (at->block == (first + 1) / kBits) left &= ~Bits{0} << (first + 1) % kBits;
      if (at->block == last / kBits) left &= ~Bits{0} >> (kBits - 1 - last % kBits);
      for (; left != 0; left &= left - 1) {
        visit(at->block * kBits + static_cast<std::size_t>(std::countr_zero(left)) - 1);
      }
    }
  }

 private:
  std::vector<Block> blocks_;        // by word, then in order
  std::vector<std::size_t> begins_;  // by word: where its blocks begin
  std::vector<std::size_t> seen_;    // by word, while they are found
};

}  // namespace understudy
