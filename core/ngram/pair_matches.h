// How many n-grams each candidate of a set shares with each reference, order by order.
//
// An occurrence (see shared_ngrams.h) that many texts have is a bit in a row of bits per text: two texts
// share as many of them as bits are set in both rows. One that few texts have would waste its column of bits:
// its references are listed, and counted for each candidate that has it. Which is cheaper depends on the
// number of pairs that share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngram/shared_ngrams.h"

namespace understudy {

class PairMatches {
 public:
  void start(const Roles& roles) {
    roles_ = roles;
    orders_ = 0;
  }

  // The n-grams of one more order.
  void add_order(const SharedNgrams& ngrams);
  // An order without shared n-grams.
  void add_nothing();

  std::size_t orders() const { return orders_; }

  // Fills matches [orders, references] with those of a candidate. Of a text with itself, n-grams that no
  // other text has are missing.
  void of_candidate(std::size_t candidate, std::uint32_t* matches) const;

 private:
  struct Order {
    std::size_t words = 0;                         // of bits per text
    std::vector<std::uint64_t> bits;               // [texts, words]
    std::vector<std::uint32_t> listed;             // the rare occurrences of all candidates
    std::vector<std::size_t> listed_ends;          // by candidate
    std::vector<std::uint32_t> listed_references;  // the references of all rare occurrences
    std::vector<std::size_t> listed_reference_at;  // where those of each begin
  };

  Order& next_order();
  // Gives every shared occurrence its place, a bit or a list of references; the number of such lists.
  std::size_t place(const SharedNgrams& ngrams, Order& order);

  Roles roles_;
  std::vector<Order> by_order_;  // the first orders_ count
  std::size_t orders_ = 0;
  std::vector<std::uint32_t> places_;
};

}  // namespace understudy
