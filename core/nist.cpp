#include "nist.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "matcher.h"
#include "parallel.h"

namespace understudy {

// ---------------------------------------------------------------------------------------------------
// The n-grams of the references

ReferenceNgrams::ReferenceNgrams(Tokenizer tokenizer, unicode::Case letter_case, unsigned max_order)
    : tokenizer_(tokenizer), letter_case_(letter_case), max_order_(max_order) {}

void ReferenceNgrams::add(const std::vector<Column>& references) {
  std::string lowered;
  std::string scratch;
  for (const Column& column : references) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column.present(i)) continue;
      std::uint64_t state = 1;
      tokenize(tokenizer_, unicode::in_case(column[i], letter_case_, lowered), scratch,
               [&](const char* begin, const char* end, const char* limit) {
                 const Token token = Token::of(begin, end, limit);
                 text_.push_back(vocabulary_.find_or_add(token));
                 state = scramble(state ^ (token.key + token.length));
                 ++words_;
               });
      text_.push_back(0);
      fingerprint_ += state;
    }
  }
  if (text_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("more than 4,294,967,295 words of references");
  }
}

// Places where the same n-gram starts stand together. Sorted by the word that follows, those of each
// (n+1)-gram stand together in turn.
void ReferenceNgrams::finish() {
  levels_.resize(max_order_);
  std::vector<std::uint32_t> places = sorted_pairs(levels_[0]);
  std::vector<std::uint64_t> followed(places.size());  // by which word, above; where, below
  for (unsigned depth = 1; depth < max_order_; ++depth) {
    Level& level = levels_[depth - 1];
    Level& longer = levels_[depth];
    const bool last_depth = depth + 1 == max_order_;
    std::size_t begin = 0;
    std::size_t kept = 0;
    level.children.reserve(level.nodes.size() + 1);
    for (const Node& node : level.nodes) {
      level.children.push_back(static_cast<std::uint32_t>(longer.nodes.size()));
      const std::size_t end = begin + node.count;
      std::size_t count = 0;
      // What begins with "0" is kept for those who take "0" for no word.
      if (node.count > 1 || (depth == 1 && vocabulary_[node.word] == "0")) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::uint64_t next = text_[places[i] + depth];
          followed[count] = next << 32 | places[i];
          count += next != 0 ? 1 : 0;
        }
      }
      begin = end;
      const auto first = followed.begin();
      const auto last = first + static_cast<std::ptrdiff_t>(count);
      if (!std::is_sorted(first, last)) std::sort(first, last);
      for (std::size_t i = 0; i < count;) {
        const std::uint64_t word = followed[i] >> 32;
        const std::size_t start = i;
        while (i < count && followed[i] >> 32 == word) ++i;
        longer.nodes.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(i - start)});
      }
      // The places read already leave room for those still to be followed.
      if (!last_depth) {
        for (std::size_t i = 0; i < count; ++i) places[kept++] = static_cast<std::uint32_t>(followed[i]);
      }
    }
    level.children.push_back(static_cast<std::uint32_t>(longer.nodes.size()));
  }
  text_ = {};
}

// The words as the tree's first level, and the places where they stand: by the word, then by the word that
// follows, each by counting, since that is cheaper than comparing where there are so many of them.
std::vector<std::uint32_t> ReferenceNgrams::sorted_pairs(Level& level) const {
  std::vector<std::uint32_t> counts(std::size_t{vocabulary_.size()} + 1, 0);
  for (const std::uint32_t word : text_) ++counts[word];
  std::vector<std::uint32_t> starts(counts.size());
  std::uint32_t start = 0;
  for (std::uint32_t word = 1; word <= vocabulary_.size(); ++word) {
    level.nodes.push_back({word, counts[word]});
    starts[word] = start;
    start += counts[word];
  }
  std::vector<std::uint32_t> next = starts;
  std::vector<std::uint32_t> places(words_);
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != 0) places[next[text_[i]]++] = i;
  }
  next = starts;
  std::vector<std::uint32_t> by_next(words_);
  // Those that nothing follows come first: theirs is the smallest number, 0.
  for (std::uint32_t i = 1; i < text_.size(); ++i) {
    if (text_[i] == 0 && text_[i - 1] != 0) by_next[next[text_[i - 1]]++] = i - 1;
  }
  for (const std::uint32_t place : places) {
    if (place > 0 && text_[place - 1] != 0) by_next[next[text_[place - 1]]++] = place - 1;
  }
  return by_next;
}

// ---------------------------------------------------------------------------------------------------
// As bytes

namespace {

template <class T>
void write(std::string& bytes, const T* values, std::size_t count) {
  const std::uint64_t size = count;
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
std::vector<T> read(std::string_view& bytes) {
  std::uint64_t count = 0;
  if (bytes.size() < sizeof count) throw std::invalid_argument("the bytes of n-grams are cut off");
  std::memcpy(&count, bytes.data(), sizeof count);
  bytes.remove_prefix(sizeof count);
  if (bytes.size() / sizeof(T) < count) throw std::invalid_argument("the bytes of n-grams are cut off");
  std::vector<T> values(count);
  if (count != 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return values;
}

}  // namespace

std::string ReferenceNgrams::to_bytes() const {
  std::string bytes;
  const std::uint64_t numbers[] = {static_cast<std::uint64_t>(tokenizer_),
                                   static_cast<std::uint64_t>(letter_case_), max_order_, words_,
                                   fingerprint_};
  write(bytes, numbers, std::size(numbers));
  std::string words;
  std::vector<std::uint32_t> lengths;
  for (std::uint32_t number = 1; number <= vocabulary_.size(); ++number) {
    words += vocabulary_[number];
    lengths.push_back(static_cast<std::uint32_t>(vocabulary_[number].size()));
  }
  write(bytes, words.data(), words.size());
  write(bytes, lengths.data(), lengths.size());
  for (const Level& level : levels_) {
    write(bytes, level.nodes.data(), level.nodes.size());
    write(bytes, level.children.data(), level.children.size());
  }
  return bytes;
}

ReferenceNgrams ReferenceNgrams::from_bytes(std::string_view bytes) {
  const std::vector<std::uint64_t> numbers = read<std::uint64_t>(bytes);
  if (numbers.size() != 5) throw std::invalid_argument("these are not the bytes of n-grams");
  ReferenceNgrams ngrams(static_cast<Tokenizer>(numbers[0]), static_cast<unicode::Case>(numbers[1]),
                         static_cast<unsigned>(numbers[2]));
  ngrams.words_ = numbers[3];
  ngrams.fingerprint_ = numbers[4];
  const std::vector<char> words = read<char>(bytes);
  const char* const end = words.data() + words.size();
  const char* word = words.data();
  for (const std::uint32_t length : read<std::uint32_t>(bytes)) {
    ngrams.vocabulary_.find_or_add(Token::of(word, word + length, end));
    word += length;
  }
  ngrams.levels_.resize(ngrams.max_order_);
  for (Level& level : ngrams.levels_) {
    level.nodes = read<Node>(bytes);
    level.children = read<std::uint32_t>(bytes);
  }
  return ngrams;
}

// ---------------------------------------------------------------------------------------------------
// Hypotheses

namespace {

class Weigher {
 public:
  Weigher(const ReferenceNgrams& ngrams, const NgramOptions& options, bool zero_is_no_word)
      : ngrams_(ngrams),
        matcher_(options),
        max_order_(options.max_order),
        zero_is_no_word_(zero_is_no_word) {}

  // Whether the references know every n-gram that matches.
  bool count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row) {
    std::int64_t* const information = row + 2;
    std::int64_t* const rest = information + max_order_;
    std::fill_n(information, 2 * std::size_t{max_order_}, 0);
    known_ = true;
    matcher_.follow(segment, hypotheses, references, [&](unsigned n, std::int64_t) {
      if (n == 1) find_words();
      for (const Position& position : matcher_.shared()) {
        const std::int64_t value = n == 1 ? of_word(position.start) : of_longer(n, position.start);
        if (!matcher_.take_match(position.number)) continue;
        constexpr unsigned kShift = kRestBits - kInformationBits;
        information[n - 1] += value >> kShift;
        rest[n - 1] += value & ((std::int64_t{1} << kShift) - 1);
      }
    });
    row[0] = matcher_.hypothesis_length();
    row[1] = matcher_.reference_length();
    matcher_.fill_totals(rest + max_order_);
    return known_;
  }

 private:
  static constexpr std::uint32_t kNoNews = std::numeric_limits<std::uint32_t>::max();

  void find_words() {
    const auto length = static_cast<std::size_t>(matcher_.hypothesis_length());
    words_.start(length);
    nodes_.start(length);
    words_.keep_first(length);
    nodes_.keep_first(length);
    for (const Position& position : matcher_.shared()) {
      const std::uint32_t word = ngrams_.word_number(matcher_.word(position.start));
      known_ = known_ && word != 0;
      words_[position.start] = word;
      nodes_[position.start] = word == 0 ? kNoNews : word - 1;
    }
  }

  std::int64_t of_word(std::uint32_t start) const {
    const std::uint32_t node = nodes_[start];
    return node == kNoNews ? 0 : logarithm(ngrams_.words(), ngrams_.count(1, node));
  }

  // The n-gram that starts there: one word longer than the one whose node was found last.
  std::int64_t of_longer(unsigned n, std::uint32_t start) {
    const std::uint32_t node = nodes_[start];
    if (node == kNoNews) return 0;
    const std::uint32_t prefix_count = ngrams_.count(n - 1, node);
    const bool nothing_before = zero_is_no_word_ && n == 2 && is_zero(start);
    nodes_[start] = kNoNews;
    if (prefix_count == 1 && !nothing_before) return 0;
    const std::optional<std::uint32_t> found = ngrams_.child(n - 1, node, words_[start + n - 1]);
    known_ = known_ && found.has_value();
    if (!found) return 0;
    nodes_[start] = *found;
    return logarithm(nothing_before ? ngrams_.words() : prefix_count, ngrams_.count(n, *found));
  }

  bool is_zero(std::uint32_t start) const {
    const Token& token = matcher_.word(start);
    return token.length == 1 && *token.text == '0';
  }

  // In units of 2^-53; what lies below them is dropped.
  static std::int64_t logarithm(std::uint64_t numerator, std::uint64_t denominator) {
    if (numerator == denominator) return 0;
    const double ratio = static_cast<double>(numerator) / static_cast<double>(denominator);
    return static_cast<std::int64_t>(std::log2(ratio) * static_cast<double>(std::int64_t{1} << kRestBits));
  }

  const ReferenceNgrams& ngrams_;
  Matcher matcher_;
  const unsigned max_order_;
  const bool zero_is_no_word_;
  bool known_ = true;
  Refilled<std::uint32_t> words_;  // by where they start: their numbers, where a reference has them
  Refilled<std::uint32_t> nodes_;  // of the n-gram that starts there, or kNoNews from it on
};

}  // namespace

std::optional<std::size_t> nist_statistics(const Column& hypotheses, const std::vector<Column>& references,
                                           const ReferenceNgrams& ngrams, const NgramOptions& options,
                                           bool zero_is_no_word, std::int64_t* rows) {
  const std::size_t width = nist_columns(options.max_order);
  std::atomic<std::size_t> first_unknown{hypotheses.size()};
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return
        [&, weigher = Weigher(ngrams, options, zero_is_no_word)](std::size_t begin, std::size_t end) mutable {
          for (std::size_t i = begin; i < end; ++i) {
            if (weigher.count(i, hypotheses, references, rows + i * width)) continue;
            std::size_t seen = first_unknown.load();
            while (i < seen && !first_unknown.compare_exchange_weak(seen, i)) {
            }
          }
        };
  });
  if (first_unknown.load() == hypotheses.size()) return std::nullopt;
  return first_unknown.load();
}

}  // namespace understudy
