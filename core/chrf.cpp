#include "chrf.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "matching.h"
#include "parallel.h"
#include "token.h"
#include "tokenize.h"

namespace understudy {

namespace {

// ---------------------------------------------------------------------------------------------------
// Text to characters and words

void append_characters(std::string_view text, bool whitespace, Refilled<char32_t>& characters) {
  characters.start(text.size() + 1);
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char32_t c = unicode::decode(p, end);
    characters.append(c, whitespace || !unicode::is_space(c));
  }
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Splits at white space. A word of more than one character loses one mark of ASCII punctuation: its last
// character if that is one, else its first: "(hi)" is "(hi" and ")" (chrF++.py, and all after it).
void append_words(std::string_view text, Refilled<Token>& words) {
  words.start(text.size() + 1);  // a word has at least one byte
  tokenize_none(text, [&words](const char* begin, const char* end, const char* limit) {
    const char* cut = end;
    const char* after_first = begin;
    unicode::decode(after_first, end);
    if (after_first < end) {
      if (is_ascii_punctuation(end[-1])) {
        cut = end - 1;
      } else if (is_ascii_punctuation(*begin)) {
        cut = begin + 1;
      }
    }
    words.append(Token::of(begin, cut, limit));
    if (cut < end) words.append(Token::of(cut, end, limit));
  });
}

// ---------------------------------------------------------------------------------------------------
// Matching, as matching.h has it, of one hypothesis against one reference.

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
    number_symbols(hypothesis, reference, numbers);
    for (unsigned n = 0; n < order; ++n) {
      if (n > 0) number_longer();
      matches[n] = count();
      if (matches[n] == 0) break;  // what has no match of n symbols has none of n + 1
    }
  }

 private:
  // One more of an n-gram of the hypothesis, new or known.
  template <class Table, class Key>
  std::uint32_t note(Table& numbers, const Key& key) {
    const std::uint32_t number = numbers.find_or_add(key, [this] {
      grams_.append(Gram{});
      return static_cast<std::uint32_t>(grams_.size() - 1);
    });
    ++grams_[number].unmatched;
    return number;
  }

  void start_grams(std::size_t most) {
    grams_.start(most + 1);
    grams_.append(Gram{});  // number 0 is taken: it means none
  }

  template <class Symbol, class Table>
  void number_symbols(const Refilled<Symbol>& hypothesis, const Refilled<Symbol>& reference, Table& numbers) {
    start_grams(hypothesis.size());
    numbers.start(hypothesis.size());
    hypothesis_.start(hypothesis.size() + 1);
    std::uint32_t start = 0;
    for (const Symbol& symbol : hypothesis) hypothesis_.append({start++, note(numbers, symbol)});
    reference_.start(reference.size() + 1);
    start = 0;
    for (const Symbol& symbol : reference) {
      const std::uint32_t number = numbers.find(symbol);
      reference_.append({start++, number}, number != 0);
    }
  }

  // From the numbers of all n-grams to those of all (n+1)-grams. Tables and numbers begin anew, which keeps
  // them small enough for the processor's nearest cache.
  void number_longer() {
    start_grams(hypothesis_.size());
    longer_.start(hypothesis_.size());
    lengthen(hypothesis_, pairs_, [this](std::uint64_t pair) { return note(longer_, pair); });
    lengthen(reference_, pairs_, [this](std::uint64_t pair) { return longer_.find(pair); });
  }

  std::int64_t count() {
    std::int64_t matches = 0;
    for (const Position& position : reference_) {
      Gram& gram = grams_[position.number];
      const std::uint32_t matched = gram.unmatched > 0 ? 1 : 0;
      gram.unmatched -= matched;
      ++gram.in_reference;
      matches += matched;
    }
    filter(hypothesis_, [this](std::uint32_t number) { return grams_[number].in_reference > 0; });
    return matches;
  }

  Positions hypothesis_;
  Positions reference_;
  Refilled<std::uint64_t> pairs_;
  Refilled<Gram> grams_;  // by number
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
