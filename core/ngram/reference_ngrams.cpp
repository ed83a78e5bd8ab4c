#include "ngram/reference_ngrams.h"

#include <cstring>
#include <limits>
#include <stdexcept>

#include "text/token.h"

namespace understudy {

ReferenceNgrams::ReferenceNgrams(Tokenizer tokenizer, unicode::Case letter_case, unsigned max_order,
                                 bool by_text)
    : tokenizer_(tokenizer), letter_case_(letter_case), max_order_(max_order), by_text_(by_text) {}

void ReferenceNgrams::add(const std::vector<Column>& references) {
  Rewritten rewritten;
  for (const Column& column : references) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column.present(i)) continue;
      TextFingerprint fingerprint;
      const std::uint64_t words_before = words_;
      tokenize(tokenizer_, letter_case_, column[i], rewritten,
               [&](const char* begin, const char* end, const char* limit) {
                 const Token token = Token::of(begin, end, limit);
                 text_.push_back(vocabulary_.find_or_add(token));
                 fingerprint.add(token);
                 ++words_;
               });
      text_.push_back(0);
      if (by_text_) {
        lengths_.push_back(static_cast<std::uint32_t>(words_ - words_before));
        texts_.push_back(fingerprint.state);
      }
      fingerprint_ += fingerprint.state;
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
  std::vector<std::uint32_t> text_of;
  if (by_text_) {
    std::sort(lengths_.begin(), lengths_.end());
    std::sort(texts_.begin(), texts_.end());
    spread_words(levels_[0]);
    text_of = text_of_places();
  }
  std::vector<std::uint64_t> followed(places.size());  // by which word, above; where, below
  for (unsigned depth = 1; depth < max_order_; ++depth) {
    Level& level = levels_[depth - 1];
    Level& longer = levels_[depth];
    const bool last_depth = depth + 1 == max_order_;
    std::size_t begin = 0;
    std::size_t kept = 0;
    for (Node& node : level.nodes) {
      node.children = static_cast<std::uint32_t>(longer.nodes.size());
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
        longer.nodes.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(i - start), 0});
        if (by_text_) {
          Spread spread;
          for (std::size_t j = start; j < i;) {  // the places are in the order of the texts
            const std::uint32_t text = text_of[static_cast<std::uint32_t>(followed[j])];
            const std::size_t first_of_text = j;
            while (j < i && text_of[static_cast<std::uint32_t>(followed[j])] == text) ++j;
            spread.add(static_cast<std::uint32_t>(j - first_of_text));
          }
          longer.spreads.push_back(spread);
        }
      }
      // The places read already leave room for those still to be followed.
      if (!last_depth) {
        for (std::size_t i = 0; i < count; ++i) places[kept++] = static_cast<std::uint32_t>(followed[i]);
      }
    }
    level.nodes.push_back({0, 0, static_cast<std::uint32_t>(longer.nodes.size())});
  }
  text_ = {};
}

void ReferenceNgrams::Spread::add(std::uint32_t count) {
  if (count > most) {
    second = most;
    most = count;
    holders = 1;
  } else if (count == most) {
    ++holders;
  } else {
    second = std::max(second, count);
  }
}

// The spreads of single words, whose places do not stand in the order of the texts.
void ReferenceNgrams::spread_words(Level& level) const {
  level.spreads.resize(level.nodes.size());
  std::vector<std::uint32_t> counts(level.nodes.size(), 0);
  for (std::size_t begin = 0; begin < text_.size();) {
    std::size_t end = begin;
    for (; text_[end] != 0; ++end) ++counts[text_[end] - 1];
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t& count = counts[text_[i] - 1];
      if (count != 0) level.spreads[text_[i] - 1].add(count);
      count = 0;
    }
    begin = end + 1;
  }
}

std::vector<std::uint32_t> ReferenceNgrams::text_of_places() const {
  std::vector<std::uint32_t> text_of(text_.size());
  std::uint32_t text = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    text_of[i] = text;
    text += text_[i] == 0 ? 1 : 0;
  }
  return text_of;
}

// The words as the tree's first level, and the places where they stand: by the word, then by the word that
// follows, each by counting, since that is cheaper than comparing where there are so many of them.
std::vector<std::uint32_t> ReferenceNgrams::sorted_pairs(Level& level) const {
  std::vector<std::uint32_t> counts(std::size_t{vocabulary_.size()} + 1, 0);
  for (const std::uint32_t word : text_) ++counts[word];
  std::vector<std::uint32_t> starts(counts.size());
  std::uint32_t start = 0;
  for (std::uint32_t word = 1; word <= vocabulary_.size(); ++word) {
    level.nodes.push_back({word, counts[word], 0});
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
                                   static_cast<std::uint64_t>(letter_case_),
                                   max_order_,
                                   words_,
                                   fingerprint_,
                                   by_text_ ? 1U : 0U};
  write(bytes, numbers, std::size(numbers));
  std::string words;
  std::vector<std::uint32_t> lengths;
  for (std::uint32_t number = 1; number <= vocabulary_.size(); ++number) {
    words += vocabulary_[number];
    lengths.push_back(static_cast<std::uint32_t>(vocabulary_[number].size()));
  }
  write(bytes, words.data(), words.size());
  write(bytes, lengths.data(), lengths.size());
  write(bytes, lengths_.data(), lengths_.size());
  write(bytes, texts_.data(), texts_.size());
  for (const Level& level : levels_) {
    write(bytes, level.nodes.data(), level.nodes.size());
    write(bytes, level.spreads.data(), level.spreads.size());
  }
  return bytes;
}

ReferenceNgrams ReferenceNgrams::from_bytes(std::string_view bytes) {
  const std::vector<std::uint64_t> numbers = read<std::uint64_t>(bytes);
  if (numbers.size() != 6) throw std::invalid_argument("these are not the bytes of n-grams");
  ReferenceNgrams ngrams(static_cast<Tokenizer>(numbers[0]), static_cast<unicode::Case>(numbers[1]),
                         static_cast<unsigned>(numbers[2]), numbers[5] != 0);
  ngrams.words_ = numbers[3];
  ngrams.fingerprint_ = numbers[4];
  const std::vector<char> words = read<char>(bytes);
  const char* const end = words.data() + words.size();
  const char* word = words.data();
  for (const std::uint32_t length : read<std::uint32_t>(bytes)) {
    ngrams.vocabulary_.find_or_add(Token::of(word, word + length, end));
    word += length;
  }
  ngrams.lengths_ = read<std::uint32_t>(bytes);
  ngrams.texts_ = read<std::uint64_t>(bytes);
  ngrams.levels_.resize(ngrams.max_order_);
  for (Level& level : ngrams.levels_) {
    level.nodes = read<Node>(bytes);
    level.spreads = read<Spread>(bytes);
  }
  return ngrams;
}

}  // namespace understudy
