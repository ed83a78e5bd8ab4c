// The texts of a set as BLEU and chrF read them: the numbers of their n-grams, and the n-grams that they
// share. read calls at_order(n, ngrams) for every order from 0 on, with nullptr where no n-grams are shared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/chrf.h"
#include "ngram/chrf_text.h"
#include "ngram/ngram.h"
#include "ngram/shared_ngrams.h"
#include "text/token.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

using Texts = std::vector<std::string_view>;

inline std::size_t bytes_of(const Texts& texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  return bytes;
}

// The numbers of n-grams [texts, orders].
class Totals {
 public:
  void start(std::size_t texts, std::size_t orders) {
    orders_ = orders;
    totals_.resize(texts * orders);
  }
  // From order `first` on, so many orders of n-grams of so many symbols.
  void set(std::size_t text, std::size_t first, std::size_t orders, std::size_t symbols) {
    for (std::size_t n = 0; n < orders; ++n) {
      totals_[text * orders_ + first + n] = static_cast<double>(symbols > n ? symbols - n : 0);
    }
  }
  const double* operator[](std::size_t text) const { return totals_.data() + text * orders_; }

 private:
  std::size_t orders_ = 0;
  std::vector<double> totals_;
};

// Visits the orders of n-grams whose first has been read.
template <class AtOrder>
void follow(SharedNgrams& ngrams, std::size_t first, std::size_t orders, AtOrder&& at_order) {
  bool any = true;
  for (std::size_t n = 0; n < orders; ++n) {
    if (n > 0) any = any && ngrams.lengthen();
    at_order(first + n, any ? &ngrams : nullptr);
  }
}

// The words of all texts, which keep pointing into them.
class WordsOfTexts {
 public:
  void start() {
    words_.clear();
    ends_.clear();
  }
  void add(const Token& word) { words_.push_back(word); }
  // The number of words of the text that ends.
  std::size_t end_text() {
    ends_.push_back(words_.size());
    return ends_.size() == 1 ? ends_[0] : ends_.back() - ends_[ends_.size() - 2];
  }

  // The words as the first order of the n-grams.
  void number(const Roles& roles, SharedNgrams& ngrams) {
    vocabulary_.start(words_.size());
    ngrams.start(roles, words_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      ngrams.add_text(
          std::span(words_).subspan(begin, end - begin),
          [this](const Token& word, auto&& new_number) { return vocabulary_.find_or_add(word, new_number); });
      begin = end;
    }
    ngrams.end_order();
  }

 private:
  std::vector<Token> words_;
  std::vector<std::size_t> ends_;
  Vocabulary vocabulary_;
};

class BleuTexts {
 public:
  explicit BleuTexts(const NgramOptions& options) : options_(options) {}

  std::size_t orders() const { return options_.max_order; }
  const Totals& totals() const { return totals_; }

  template <class AtOrder>
  void read(const Texts& texts, const Roles& roles, AtOrder&& at_order) {
    if (rewritten_.size() < texts.size()) rewritten_.resize(texts.size());  // tokens point into it
    totals_.start(texts.size(), orders());
    words_.start();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      tokenize(options_.tokenizer, options_.letter_case, texts[i], rewritten_[i],
               [this](const char* from, const char* to, const char* limit) {
                 words_.add(Token::of(from, to, limit));
               });
      totals_.set(i, 0, orders(), words_.end_text());
    }
    words_.number(roles, ngrams_);
    follow(ngrams_, 0, orders(), at_order);
  }

 private:
  const NgramOptions options_;
  std::vector<Rewritten> rewritten_;
  WordsOfTexts words_;
  Totals totals_;
  SharedNgrams ngrams_;
};

class ChrfTexts {
 public:
  explicit ChrfTexts(const ChrfOptions& options) : options_(options) {}

  std::size_t orders() const { return std::size_t{options_.char_order} + options_.word_order; }
  const Totals& totals() const { return totals_; }

  template <class AtOrder>
  void read(const Texts& texts, const Roles& roles, AtOrder&& at_order) {
    if (lowered_.size() < texts.size()) lowered_.resize(texts.size());
    cased_.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      cased_[i] = unicode::in_case(texts[i], options_.letter_case, lowered_[i]);
    }
    totals_.start(texts.size(), orders());
    if (options_.char_order > 0) {
      read_characters(roles);
      follow(ngrams_, 0, options_.char_order, at_order);
    }
    if (options_.word_order > 0) {
      read_words(roles);
      follow(ngrams_, options_.char_order, options_.word_order, at_order);
    }
  }

 private:
  void read_characters(const Roles& roles) {
    const std::size_t bytes = bytes_of(cased_);
    ngrams_.start(roles, bytes);
    numbers_.start(bytes);
    ascii_.fill(0);
    for (std::size_t i = 0; i < cased_.size(); ++i) {
      append_characters(cased_[i], options_.whitespace, characters_);
      ngrams_.add_text(characters_, [this](char32_t c, auto&& new_number) {
        if (c >= ascii_.size()) return numbers_.find_or_add(c, new_number);
        std::uint32_t& number = ascii_[c];
        if (number == 0) number = new_number();
        return number;
      });
      totals_.set(i, 0, options_.char_order, characters_.size());
    }
    ngrams_.end_order();
  }

  void read_words(const Roles& roles) {
    all_words_.start();
    for (std::size_t i = 0; i < cased_.size(); ++i) {
      append_words(cased_[i], words_);
      for (const Token& word : words_) all_words_.add(word);
      totals_.set(i, options_.char_order, options_.word_order, all_words_.end_text());
    }
    all_words_.number(roles, ngrams_);
  }

  const ChrfOptions options_;
  std::vector<std::string> lowered_;
  Texts cased_;
  Totals totals_;
  Refilled<char32_t> characters_;
  std::array<std::uint32_t, 128> ascii_{};
  NumberTable numbers_;  // of other characters
  Refilled<Token> words_;
  WordsOfTexts all_words_;
  SharedNgrams ngrams_;
};

}  // namespace understudy
