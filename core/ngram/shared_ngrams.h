// The n-grams that the texts of a set share: what utilities of candidates against references are counted
// from. Every text is read once, however many it is compared with.
//
// N-grams are numbered as equal_ngrams.h has it, but through all texts of the set. The first, second, ...
// occurrence of an n-gram in a text are different *occurrences*, with a number each. Two texts share an
// n-gram min(count, count) times: as many times as they have the same occurrences. So a match is the size of
// an intersection, and no counts have to be compared.
//
// An n-gram that only one text has is not followed further, as no longer one around it is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngram/equal_ngrams.h"

namespace understudy {

// The texts of a set: first the candidates, then the references; or candidates that are their own references.
struct Roles {
  std::size_t candidates = 0;
  std::size_t references = 0;
  bool themselves = false;

  std::size_t texts() const { return themselves ? candidates : candidates + references; }
  std::size_t text_of_reference(std::size_t reference) const {
    return themselves ? reference : candidates + reference;
  }
};

// An occurrence of an n-gram. Its number is its place among all, from 1 on; the first one's is the n-gram's.
struct Occurrence {
  std::uint32_t next = 0;           // the following occurrence of the same n-gram
  std::uint32_t in_candidates = 0;  // texts that have it
  std::uint32_t in_references = 0;
  std::uint32_t text = 0;  // of a first one: the text that was last found to have it, from 1 on
  std::uint32_t last = 0;  // of a first one: the last occurrence in that text
};

class SharedNgrams {
 public:
  // For texts with so many symbols together. add_text is called for each, in order; then end_order.
  void start(const Roles& roles, std::size_t most_symbols) {
    roles_ = roles;
    positions_.start(most_symbols + 1);
    found_.start(most_symbols + 1);
    ends_.clear();
    start_order(most_symbols);
  }

  // number_of(symbol, new_number) finds the number of a symbol, or makes it by new_number().
  template <class Symbols, class NumberOf>
  void add_text(const Symbols& symbols, NumberOf&& number_of) {
    std::uint32_t start = 0;
    for (const auto& symbol : symbols) {
      const std::uint32_t number = number_of(symbol, [this] { return new_occurrence(); });
      positions_.append({start++, number});
      found_.append(noted(number));
    }
    end_text();
  }

  void end_order() {
    for (std::size_t i = 1; roles_.themselves && i < occurrences_.size(); ++i) {
      occurrences_[i].in_references = occurrences_[i].in_candidates;
    }
  }

  // From n-grams to (n+1)-grams. Whether any are left.
  bool lengthen();

  // The occurrences of the n-grams of one text that may be shared.
  std::span<const std::uint32_t> found(std::size_t text) const {
    const std::size_t begin = text == 0 ? 0 : ends_[text - 1];
    return {found_.begin() + begin, found_.begin() + ends_[text]};
  }

  // All occurrences of this order; the number 0 is taken.
  const Refilled<Occurrence>& occurrences() const { return occurrences_; }

  // Whether a candidate has it, and a reference that is another text.
  bool is_shared(const Occurrence& occurrence) const {
    return occurrence.in_references > 0 && occurrence.in_candidates > (roles_.themselves ? 1U : 0U);
  }
  const Roles& roles() const { return roles_; }

 private:
  void start_order(std::size_t most) {
    occurrences_.start(most + 1);
    occurrences_.append({});
  }

  std::uint32_t new_occurrence() {
    occurrences_.append({});
    return static_cast<std::uint32_t>(occurrences_.size() - 1);
  }

  // The occurrence that one more n-gram of the current text is.
  std::uint32_t noted(std::uint32_t number) {
    const auto text = static_cast<std::uint32_t>(ends_.size() + 1);
    Occurrence& first = occurrences_[number];
    std::uint32_t occurrence = number;
    if (first.text == text) {
      occurrence = occurrences_[first.last].next;
      if (occurrence == 0) {
        occurrence = new_occurrence();  // there is room for it: nothing moves
        occurrences_[first.last].next = occurrence;
      }
    }
    first.text = text;
    first.last = occurrence;
    Occurrence& at = occurrences_[occurrence];
    ++(ends_.size() < roles_.candidates ? at.in_candidates : at.in_references);
    return occurrence;
  }

  void end_text() { ends_.push_back(found_.size()); }

  // The pairs of numbers of neighbouring n-grams that may be a shared (n+1)-gram, and where each text's end.
  std::vector<std::size_t> pair_neighbours();

  Roles roles_;
  Positions positions_;               // of the n-grams of all texts that are followed
  Refilled<std::uint32_t> found_;     // their occurrences
  std::vector<std::size_t> ends_;     // of each text among both
  Refilled<Occurrence> occurrences_;  // by number
  Refilled<std::uint64_t> pairs_;
  NumberTable longer_;
};

inline bool SharedNgrams::lengthen() {
  const std::vector<std::size_t> pair_ends = pair_neighbours();
  const std::size_t count = pair_ends.empty() ? 0 : pair_ends.back();
  if (count == 0) return false;
  start_order(count);
  longer_.start_small();
  found_.keep_first(0);
  ends_.clear();
  std::size_t i = 0;
  for (const std::size_t end : pair_ends) {
    for (; i < end; ++i) {
      const std::uint32_t number = longer_.find_or_add_growing(pairs_[i], [this] { return new_occurrence(); });
      positions_[i].number = number;
      found_.append(noted(number));
    }
    end_text();
  }
  positions_.keep_first(count);
  end_order();
  return true;
}

// Both n-grams of an (n+1)-gram that is shared are shared themselves.
inline std::vector<std::size_t> SharedNgrams::pair_neighbours() {
  pairs_.start(positions_.size() + 1);
  Position* const at = positions_.data();
  std::uint64_t* const pairs = pairs_.data();
  std::size_t made = 0;  // never more than have been read: what is written is not needed any more
  std::size_t i = 0;
  std::vector<std::size_t> pair_ends;
  pair_ends.reserve(ends_.size());
  for (const std::size_t end : ends_) {
    for (; i + 1 < end; ++i) {
      const Position first = at[i];
      const Position second = at[i + 1];
      at[made].start = first.start;
      pairs[made] = std::uint64_t{first.number} << 32 | second.number;
      const bool follow = first.start + 1 == second.start && is_shared(occurrences_[first.number]) &&
                          is_shared(occurrences_[second.number]);
      made += follow ? 1 : 0;
    }
    i = end;
    pair_ends.push_back(made);
  }
  return pair_ends;
}

}  // namespace understudy
