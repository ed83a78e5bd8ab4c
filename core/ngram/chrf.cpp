#include "ngram/chrf.h"

#include <algorithm>
#include <string>

#include "ngram/chrf_text.h"
#include "ngram/equal_ngrams.h"
#include "support/parallel.h"
#include "text/token.h"

namespace understudy {

namespace {

// ---------------------------------------------------------------------------------------------------
// Matching, as equal_ngrams.h has it, of one hypothesis against one reference.

struct Gram {
  std::uint32_t unmatched = 0;  // how many of the hypothesis have no partner yet
  std::uint32_t in_reference = 0;
};

class Pair {
 public:
  // matches[n - 1] becomes the number of n-grams that the two texts have in common, n = 1..order: each
  // distinct one as often as in the text that has fewer of it.
  template <class Symbol, class Table>
  void match(const Refilled<Symbol>& hypothesis, const Refilled<Symbol>& reference, Table& numbers,
             unsigned order, std::int64_t* matches) {
    std::fill(matches, matches + order, 0);
    matches[0] = match_symbols(hypothesis, reference, numbers);
    for (unsigned n = 1; n < order && matches[n - 1] > 0; ++n) matches[n] = match_longer();
  }

 private:
  // The n-grams of one order. Tables and numbers begin anew with each, which keeps them small enough for the
  // processor's nearest cache.
  template <class Table>
  class Order {
   public:
    Order(std::vector<Gram>& grams, Table& numbers, std::size_t most) : numbers_(numbers) {
      if (grams.size() < most + 1) grams.resize(most + 1);
      grams_ = grams.data();
      grams_[0] = Gram{};        // the number 0 is taken: it means none
      numbers_.start(2 * most);  // sparse: what has to be looked for twice costs more than a cache line
    }

    // The number of an n-gram of the hypothesis, new or known.
    template <class Key>
    std::uint32_t note(const Key& key) {
      const std::uint32_t number = numbers_.find_or_add(key, [this] {
        grams_[next_] = Gram{};
        return next_++;
      });
      ++grams_[number].unmatched;
      return number;
    }

    // The number of an n-gram of the reference, 0 if the hypothesis lacks it.
    template <class Key>
    std::uint32_t match(const Key& key) {
      const std::uint32_t number = numbers_.find(key);
      Gram& gram = grams_[number];
      const std::uint32_t matched = gram.unmatched > 0 ? 1 : 0;
      gram.unmatched -= matched;
      ++gram.in_reference;
      matches_ += matched;
      return number;
    }

    std::uint64_t in_reference(std::uint32_t number) const { return below(0, grams_[number].in_reference); }
    std::int64_t matches() const { return matches_; }

   private:
    Table& numbers_;
    Gram* grams_;
    std::uint32_t next_ = 1;
    std::int64_t matches_ = 0;
  };

  template <class Symbol, class Table>
  std::int64_t match_symbols(const Refilled<Symbol>& hypothesis, const Refilled<Symbol>& reference,
                             Table& numbers) {
    Order order(grams_, numbers, hypothesis.size());
    place(hypothesis, hypothesis_, [&order](const Symbol& symbol) { return order.note(symbol); });
    place(reference, reference_, [&order](const Symbol& symbol) { return order.match(symbol); });
    filter(hypothesis_, [&order](std::uint32_t number) { return order.in_reference(number); });
    return order.matches();
  }

  // From the n-grams that both texts have to the (n+1)-grams.
  std::int64_t match_longer() {
    Order order(grams_, longer_, hypothesis_.size());
    lengthen(hypothesis_, pairs_, [&order](std::uint64_t pair) { return order.note(pair); });
    lengthen(reference_, pairs_, [&order](std::uint64_t pair) { return order.match(pair); });
    filter(hypothesis_, [&order](std::uint32_t number) { return order.in_reference(number); });
    return order.matches();
  }

  Positions hypothesis_;
  Positions reference_;
  Refilled<std::uint64_t> pairs_;
  std::vector<Gram> grams_;  // by number
  NumberTable longer_;
};

// ---------------------------------------------------------------------------------------------------

struct Text {
  std::string lowered;
  Refilled<char32_t> characters;
  Refilled<Token> words;

  void read(std::string_view text, const ChrfOptions& options) {
    text = unicode::in_case(text, options.letter_case, lowered);
    if (options.char_order > 0) append_characters(text, options.whitespace, characters);
    if (options.word_order > 0) append_words(text, words);
  }
};

class Counter {
 public:
  explicit Counter(const ChrfOptions& options) : options_(options) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* rows) {
    const std::size_t width = chrf_columns(options_);
    hypothesis_.read(hypotheses[segment], options_);
    for (std::size_t r = 0; r < references.size(); ++r) {
      std::int64_t* const row = rows + (r * hypotheses.size() + segment) * width;
      if (!references[r].present(segment)) {
        std::fill(row, row + width, 0);
        continue;
      }
      reference_.read(references[r][segment], options_);
      const std::size_t orders = width / 3;
      std::int64_t* const matches = row + 2 * orders;
      totals(hypothesis_.characters.size(), reference_.characters.size(), options_.char_order, row, orders);
      totals(hypothesis_.words.size(), reference_.words.size(), options_.word_order,
             row + options_.char_order, orders);
      if (options_.char_order > 0) {
        pair_.match(hypothesis_.characters, reference_.characters, characters_, options_.char_order, matches);
      }
      if (options_.word_order > 0) {
        pair_.match(hypothesis_.words, reference_.words, words_, options_.word_order,
                    matches + options_.char_order);
      }
    }
  }

 private:
  // An order that the reference is too short for does not count against the hypothesis (chrF++.py, which
  // goes through the orders of the reference only, and all after it).
  static void totals(std::size_t hypothesis, std::size_t reference, unsigned order, std::int64_t* row,
                     std::size_t orders) {
    for (std::size_t n = 0; n < order; ++n) {
      const std::size_t in_reference = reference > n ? reference - n : 0;
      const std::size_t in_hypothesis = hypothesis > n ? hypothesis - n : 0;
      row[n] = in_reference > 0 ? static_cast<std::int64_t>(in_hypothesis) : 0;
      row[orders + n] = static_cast<std::int64_t>(in_reference);
    }
  }

  const ChrfOptions options_;
  Text hypothesis_;
  Text reference_;
  Pair pair_;
  NumberTable characters_;
  Vocabulary words_;
};

}  // namespace

void chrf_statistics(const Column& hypotheses, const std::vector<Column>& references,
                     const ChrfOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) counter.count(i, hypotheses, references, rows);
    };
  });
}

}  // namespace understudy
