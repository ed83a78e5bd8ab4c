// The words of two texts by number: those of the reference from 1 on, and 0 for any word that it lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "text/token.h"

namespace understudy {

class NumberedPair {
 public:
  void read(const Refilled<Token>& hypothesis, const Refilled<Token>& reference) {
    vocabulary_.start(reference.size());
    kinds_ = 0;
    reference_.clear();
    for (const Token& token : reference) {
      reference_.push_back(vocabulary_.find_or_add(token, [this] { return ++kinds_; }));
    }
    hypothesis_.clear();
    for (const Token& token : hypothesis) hypothesis_.push_back(vocabulary_.find(token));
  }

  const std::vector<std::uint32_t>& hypothesis() const { return hypothesis_; }
  const std::vector<std::uint32_t>& reference() const { return reference_; }
  std::size_t kinds() const { return kinds_; }  // of words in the reference

 private:
  Vocabulary vocabulary_;
  std::uint32_t kinds_ = 0;
  std::vector<std::uint32_t> hypothesis_, reference_;
};

}  // namespace understudy
