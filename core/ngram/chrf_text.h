// The characters and words that chrF compares.
#pragma once

#include <cstddef>
#include <string_view>

#include "ngram/equal_ngrams.h"
#include "text/token.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

inline void append_characters(std::string_view text, bool whitespace, Refilled<char32_t>& characters) {
  characters.start(text.size() + 1);
  char32_t* const at = characters.data();
  std::size_t kept = 0;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char32_t c = unicode::decode(p, end);
    at[kept] = c;
    kept += whitespace || !unicode::is_space(c) ? 1 : 0;
  }
  characters.keep_first(kept);
}

inline bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Splits at white space. A word of more than one character loses one mark of ASCII punctuation: its last
// character if that is one, else its first: "(hi)" is "(hi" and ")" (chrF++.py, and all after it).
inline void append_words(std::string_view text, Refilled<Token>& words) {
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

}  // namespace understudy
