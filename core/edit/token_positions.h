// Where in a text each of its tokens occurs: what comparing texts in bits starts from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "support/bits.h"
#include "text/token.h"

namespace understudy {

using Tokens = std::span<const Token>;
// Tokens are numbered from 1; 0 is a token that does not occur.
class TokenPositions {
 public:
  void start(Tokens tokens) {
    vocabulary_.start(2 * tokens.size());
    last_.start(tokens.size() + 1);
    last_.append(0);
    number_.start(tokens.size());
    earlier_.start(tokens.size());
    for (std::uint32_t position = 1; const Token& token : tokens) {
      const std::uint32_t number = vocabulary_.find_or_add(token, [this] {
        last_.append(0);
        return static_cast<std::uint32_t>(last_.size() - 1);
      });
      number_.append(number);
      earlier_.append(last_[number]);
      last_[number] = position++;
    }
  }

  std::uint32_t number_of(const Token& token) const { return vocabulary_.find(token); }
  std::uint32_t number_at(std::size_t position) const { return number_[position]; }

  // Sets the bit of every position of the token, the first position being bit `offset`.
  void mark(std::uint32_t number, std::size_t offset, std::vector<Bits>& marks) const {
    for (std::uint32_t at = last_[number]; at != 0; at = earlier_[at - 1]) {
      const std::size_t bit = at - 1 + offset;
      marks[bit / kBits] |= Bits{1} << (bit % kBits);
    }
  }

 private:
  Vocabulary vocabulary_;
  Refilled<std::uint32_t> last_;     // by number: the last position plus 1
  Refilled<std::uint32_t> number_;   // by position
  Refilled<std::uint32_t> earlier_;  // by position: the position before with the same token, plus 1
};

}  // namespace understudy
