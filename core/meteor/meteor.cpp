#include "meteor/meteor.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "support/parallel.h"
#include "text/english_stem.h"
#include "text/word_numbers.h"

namespace understudy {

namespace {

// Text to words: normalised, lower-cased, split.
class MeteorReader {
 public:
  explicit MeteorReader(const MeteorOptions& options) : letter_case_(options.letter_case) {
    if (options.normalizer) normalizer_ = std::make_unique<MeteorNormalizer>(*options.normalizer);
  }

  template <class Emit>
  void read(std::string_view text, Emit&& emit) {
    if (normalizer_) {
      normalized_.clear();
      normalizer_->normalize(text, normalized_);
      text = normalized_;
    }
    split_as_java(unicode::in_case(text, letter_case_, lowered_), emit);
  }

 private:
  unicode::Case letter_case_;
  std::unique_ptr<MeteorNormalizer> normalizer_;
  std::string normalized_;
  std::string lowered_;
};

std::u16string to_utf16(std::string_view utf8) {
  std::u16string units;
  for (const char *p = utf8.data(), *end = p + utf8.size(); p != end;) {
    const char32_t c = unicode::decode(p, end);
    if (c < 0x10000) {
      units += static_cast<char16_t>(c);
    } else {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return units;
}

// String.hashCode of Java.
std::int32_t hash_in_java(std::u16string_view units) {
  std::uint32_t hash = 0;
  for (const char16_t unit : units) hash = 31 * hash + unit;
  return static_cast<std::int32_t>(hash);
}

// What is known of each word met so far.
class MeteorWordBook {
 public:
  explicit MeteorWordBook(const MeteorOptions& options) : options_(options) {}

  // Between segments: text of ever new words must not fill the memory.
  void forget_if_full() {
    if (words_.size() <= kMostWords) return;
    numbers_ = {};
    words_.clear();
  }

  const MeteorWord* find(std::string_view text) {
    const char* const end = text.data() + text.size();
    const std::uint32_t number = numbers_.find_or_add(Token::of(text.data(), end, end));
    if (number > words_.size()) describe(text, words_.emplace_back());
    return &words_[number - 1];
  }

 private:
  static constexpr std::size_t kMostWords = 1 << 18;

  void describe(std::string_view text, MeteorWord& word) {
    std::u16string units = to_utf16(text);
    word.number = static_cast<std::uint32_t>(words_.size() - 1);
    word.hash = hash_in_java(units);
    word.length = static_cast<std::uint32_t>(units.size());
    if (has_stage(options_.stages, MeteorStage::Stem)) {
      if (options_.stems->english) {
        stem_english(units);
        word.stem = hash_in_java(units);
      } else {
        const auto found = options_.stems->table.find(text);
        word.stem = found == options_.stems->table.end() ? word.hash : hash_in_java(to_utf16(found->second));
      }
    }
    if (has_stage(options_.stages, MeteorStage::Synonym)) options_.synonyms->sets_of(text, word.synsets);
    if (has_stage(options_.stages, MeteorStage::Paraphrase))
      word.phrase_word = options_.paraphrases->word(text);
    lowered_.clear();
    unicode::lower(text, lowered_);
    word.function = options_.function_words.contains(lowered_);
  }

  const MeteorOptions& options_;
  WordNumbers numbers_;
  std::deque<MeteorWord> words_;  // in their place for good: the aligner holds pointers to them
  std::string lowered_;
};

class MeteorCounter {
 public:
  explicit MeteorCounter(const MeteorOptions& options)
      : options_(options),
        reader_(options),
        book_(options),
        aligner_(options.stages, options.paraphrases, options.beam) {}

  void read_hypothesis(std::string_view text) {
    book_.forget_if_full();
    read(text, hypothesis_);
  }

  void count(std::string_view reference, std::int64_t* row) {
    align(reference);
    std::fill_n(row, kMeteorColumns, 0);
    const auto worth = [this](const MeteorWord* word) {
      return options_.characters ? std::int64_t{word->length} : 1;
    };
    for (const MeteorWord* word : hypothesis_) {
      row[0] += worth(word);
      row[2] += word->function ? worth(word) : 0;
    }
    for (const MeteorWord* word : reference_) {
      row[1] += worth(word);
      row[3] += word->function ? worth(word) : 0;
    }
    std::int64_t* const ends = row + 4 + 4 * kMeteorStages;
    for (const MeteorMatch& match : aligner_.matches()) {
      std::int64_t* const stage = row + 4 + 4 * static_cast<std::size_t>(match.stage);
      for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
        const MeteorWord* const word = hypothesis_[match.hypothesis_start + i];
        stage[word->function ? 2 : 0] += worth(word);
      }
      for (std::uint32_t i = 0; i < match.reference_length; ++i) {
        const MeteorWord* const word = reference_[match.reference_start + i];
        stage[word->function ? 3 : 1] += worth(word);
      }
      ends[1] += match.hypothesis_length;
      ends[2] += match.reference_length;
    }
    const bool whole = ends[1] == static_cast<std::int64_t>(hypothesis_.size()) &&
                       ends[2] == static_cast<std::int64_t>(reference_.size());
    const bool free = options_.copies_are_free && whole && aligner_.chunks() == 1;
    ends[0] = free ? 0 : aligner_.chunks();
  }

  const std::vector<MeteorMatch>& align(std::string_view reference) {
    read(reference, reference_);
    aligner_.align(hypothesis_, reference_);
    return aligner_.matches();
  }

 private:
  void read(std::string_view text, std::vector<const MeteorWord*>& words) {
    words.clear();
    reader_.read(text, [&](std::string_view word) { words.push_back(book_.find(word)); });
  }

  const MeteorOptions& options_;
  MeteorReader reader_;
  MeteorWordBook book_;
  MeteorAligner aligner_;
  std::vector<const MeteorWord*> hypothesis_;
  std::vector<const MeteorWord*> reference_;
};

}  // namespace

void meteor_statistics(const Column& hypotheses, const std::vector<Column>& references,
                       const MeteorOptions& options, std::int64_t* rows) {
  const std::size_t segments = hypotheses.size();
  parallel_blocks(segments, options.threads, 16, [&] {
    auto counter = std::make_shared<MeteorCounter>(options);
    return [&, counter](std::size_t begin, std::size_t end) {
      for (std::size_t segment = begin; segment < end; ++segment) {
        counter->read_hypothesis(hypotheses[segment]);
        for (std::size_t r = 0; r < references.size(); ++r) {
          std::int64_t* const row = rows + (r * segments + segment) * kMeteorColumns;
          if (references[r].present(segment)) {
            counter->count(references[r][segment], row);
          } else {
            std::fill_n(row, kMeteorColumns, 0);
          }
        }
      }
    };
  });
}

MeteorAlignment meteor_alignment(std::string_view hypothesis, std::string_view reference,
                                 const MeteorOptions& options) {
  MeteorAlignment alignment;
  MeteorCounter counter(options);
  counter.read_hypothesis(hypothesis);
  alignment.matches = counter.align(reference);
  alignment.hypothesis = meteor_words(hypothesis, options);
  alignment.reference = meteor_words(reference, options);
  return alignment;
}

std::vector<std::string> meteor_words(std::string_view text, const MeteorOptions& options) {
  std::vector<std::string> words;
  MeteorReader(options).read(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

std::string english_stem(std::string_view word) {
  std::u16string units = to_utf16(word);
  stem_english(units);
  std::string stem;
  for (std::size_t i = 0; i < units.size(); ++i) {
    char32_t c = units[i];
    if (c >= 0xD800 && c < 0xDC00) c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00U);
    unicode::append_utf8(stem, c);
  }
  return stem;
}

std::vector<std::string> meteor_vocabulary(const std::vector<Column>& columns, const MeteorOptions& options) {
  std::unordered_set<std::string, TextHash, std::equal_to<>> seen;
  std::vector<std::string> words;
  MeteorReader reader(options);
  for (const Column& column : columns) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column.present(i)) continue;
      reader.read(column[i], [&](std::string_view word) {
        if (seen.contains(word)) return;
        seen.emplace(word);
        words.emplace_back(word);
      });
    }
  }
  return words;
}

}  // namespace understudy
