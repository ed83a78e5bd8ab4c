// The tokenizers of machine-translation evaluation, each in one pass over the bytes.
//
// Every tokenizer calls emit(begin, end, limit) for each token, in order: the token is [begin, end), and the
// bytes up to `limit` may be read. They lie in the text given, or in `Rewritten` where the text had to be
// rewritten first. Text is valid UTF-8.
//
// 13a, intl and zh are defined by regular expressions applied one after the other (mteval-v13a.pl and
// mteval-v14.pl; sacreBLEU 2.6.0 keeps their exact behaviour). Applied in sequence they cost four passes;
// the comments below say why one pass with a look at the neighbouring characters gives the same tokens.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

#include "text/porter.h"
#include "text/unicode.h"
#include "text/white_space.h"

namespace understudy {

enum class Tokenizer : std::uint8_t {
  None,
  AsciiSpaces,
  V13a,
  V13aBare,
  Intl,
  IntlMteval,
  IntlMtevalSplit,
  Zh,
  ZhFixed,
  Char,
  CharSpaced,
  Jiwer,
  Rouge,
  RougePorter
};

// Where tokens may point: the text in another case, and cleaned.
struct Rewritten {
  std::string cased, cleaned;
};

// ---------------------------------------------------------------------------------------------------

// The token being read: it starts at start_ and is emitted when something ends it.
template <class Emit>
class OpenToken {
 public:
  OpenToken(std::string_view text, Emit& emit)
      : start_(text.data()), limit_(text.data() + text.size()), emit_(emit) {}

  // Ends the token before `now`; the next one can start at `next`.
  void close(const char* now, const char* next) {
    if (start_ != now) emit_(start_, now, limit_);
    start_ = next;
  }
  // As close, and [now, next) is a token of its own.
  void close_and_emit(const char* now, const char* next) {
    close(now, next);
    emit_(now, next, limit_);
  }

 private:
  const char* start_;
  const char* limit_;
  Emit& emit_;
};

// ---------------------------------------------------------------------------------------------------
// none: the text is tokenized already; white space separates.

template <class Emit>
void tokenize_none(std::string_view text, Emit&& emit) {
  OpenToken token(text, emit);
  visit_spaces(text, [&token](const char* p, std::size_t width) { token.close(p, p + width); });
  const char* const end = text.data() + text.size();
  token.close(end, end);
}

// ---------------------------------------------------------------------------------------------------
// ascii-spaces: what Perl takes for white space in bytes, and Java everywhere. A no-break space joins words.

inline bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class Emit>
void tokenize_ascii_spaces(std::string_view text, Emit&& emit) {
  OpenToken token(text, emit);
  visit_spaces(text, [&token](const char* p, std::size_t) {
    if (is_ascii_space(*p)) token.close(p, p + 1);
  });
  const char* const end = text.data() + text.size();
  token.close(end, end);
}

// ---------------------------------------------------------------------------------------------------
// jiwer: what the defaults of jiwer 4 make of a text. Two or more white-space characters in a row become one
// space, those at the ends are dropped, and the space separates. So one other white-space character between
// two words, such as a no-break space, is a part of a word.

template <class Emit>
void tokenize_jiwer(std::string_view text, Emit&& emit) {
  text = strip_left(strip_right(text));
  const char* const end = text.data() + text.size();
  const char* past = text.data();  // the end of the white space seen last
  OpenToken token(text, emit);
  visit_spaces(text, [&](const char* p, std::size_t width) {
    if (p < past) return;
    past = p + width;  // before the end: a text that is stripped ends in no white space
    const bool alone = space_at(past, end) == 0;
    while (const std::size_t more = space_at(past, end)) past += more;
    if (*p == ' ' || !alone) token.close(p, past);
  });
  token.close(end, end);
}

// ---------------------------------------------------------------------------------------------------
// char: every code point is a token, white space is dropped. char-spaced: white space too is a token, but for
// that at the ends.

template <class Emit>
void tokenize_char(std::string_view text, Emit&& emit) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char* const begin = p;
    if (!unicode::is_space(unicode::decode(p, end))) emit(begin, p, end);
  }
}

template <class Emit>
void tokenize_char_spaced(std::string_view text, Emit&& emit) {
  text = strip_left(strip_right(text));
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char* const begin = p;
    unicode::decode(p, end);
    emit(begin, p, end);
  }
}

// ---------------------------------------------------------------------------------------------------
// 13a and zh. Both end in the four substitutions of mteval-v13a, here S1..S4:
//
//   S1  ([\{-\~\[-\` -\&\(-\+\:-\@\/])  ->  " \1 "      most ASCII punctuation stands alone
//   S2  ([^0-9])([\.,])                 ->  "\1 \2 "    . and , stand alone after a non-digit
//   S3  ([\.,])([^0-9])                 ->  " \1 \2"    ... and before a non-digit
//   S4  ([0-9])(-)                      ->  "\1 \2 "    a dash stands alone after a digit
//
// Matches do not overlap: S2 cannot use as \1 a character that it has just used as \2. So in a run of
// periods after a non-digit it is every other period that S2 matches, which shows only when the run is
// followed by a digit ("x..5" gives "x . .5", "x...5" gives "x . . . 5"). `used_by_s2` remembers that.
// After S2 no two periods are adjacent, so S3 needs no such memory: an unmatched one stands alone unless
// a digit follows. S1 and S4 look at single characters only.

enum class Byte13a : std::uint8_t { Word, Space, Alone, PeriodComma, Dash, High };

using ByteTable = std::array<Byte13a, 256>;

constexpr ByteTable make_byte_table(std::string_view high) {
  ByteTable table{};  // all Word
  auto range = [&table](int first, int last, Byte13a value) {
    for (int c = first; c <= last; ++c) table[static_cast<std::size_t>(c)] = value;
  };
  range('{', '~', Byte13a::Alone);
  range('[', '`', Byte13a::Alone);
  range('!', '&', Byte13a::Alone);
  range('(', '+', Byte13a::Alone);
  range(':', '@', Byte13a::Alone);
  range('/', '/', Byte13a::Alone);
  range(0x09, 0x0D, Byte13a::Space);
  range(0x1C, 0x20, Byte13a::Space);
  range('.', '.', Byte13a::PeriodComma);
  range(',', ',', Byte13a::PeriodComma);
  range('-', '-', Byte13a::Dash);
  for (const char lead : high) table[static_cast<unsigned char>(lead)] = Byte13a::High;
  return table;
}

// 13a needs a closer look at the lead bytes of white space only, zh at every lead byte.
inline constexpr ByteTable kBytes13a = make_byte_table("\xC2\xE1\xE2\xE3");
inline constexpr ByteTable kBytesZh = make_byte_table(
    "\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\xDA\xDB"
    "\xDC\xDD\xDE\xDF\xE0\xE1\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xEB\xEC\xED\xEE\xEF\xF0\xF1\xF2\xF3\xF4");

#if defined(__SSE2__) || defined(_M_X64)
// For 16 bytes: letters, digits and continuation bytes never end a word.
inline std::uint64_t special_16_bytes(const char* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i letter = in_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 25);
  const __m128i digit = in_range(bytes, '0', 9);
  const __m128i continuation = in_range(bytes, '\x80', 0x3F);
  const int word = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), continuation));
  return static_cast<std::uint16_t>(~word);
}
#endif

// Bit i is set if byte i of up to 64 may end a word: every byte that the table does not call Word, and
// perhaps some that it does. Finding word ends this way costs no branches, and words end where no processor
// can predict. The bytes from `begin` on may be read.
template <const ByteTable& kBytes>
std::uint64_t special_bytes(const char* begin, const char* p, std::size_t count) {
  std::uint64_t marks = 0;
  std::size_t i = 0;
#if defined(__SSE2__) || defined(_M_X64)
  for (; i + 16 <= count; i += 16) marks |= special_16_bytes(p + i) << i;
  if (i == count) return marks;
  if (p + count - begin >= 16) {  // the last 16, of which some have been seen
    return marks | special_16_bytes(p + count - 16) >> (16 + i - count) << i;
  }
#endif
  for (; i < count; ++i) {
    marks |= std::uint64_t{kBytes[static_cast<unsigned char>(p[i])] != Byte13a::Word} << i;
  }
  return marks;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Characters that zh separates. The peer's table has two malformed entries, compared as strings: instead of
// the supplementary ideographs they cover U+2001..U+2A6D. `zh` keeps that; `zh-fixed` has the intended ones.
template <bool kFixed>
bool is_chinese(char32_t c) {
  if constexpr (kFixed) {
    if ((c >= 0x20000 && c <= 0x2A6D6) || (c >= 0x2F800 && c <= 0x2FA1D)) return true;
    if ((c >= 0x2600 && c <= 0x26FF) || (c >= 0x2700 && c <= 0x27BF)) return true;
  } else {
    if (c >= 0x2001 && c <= 0x2A6D) return true;
  }
  if (c < 0x2E80 || c > 0xFFEF) return false;
  return c <= 0x2EFF || (c >= 0x2F00 && c <= 0x2FDF) || (c >= 0x2FF0 && c <= 0x303F) ||
         (c >= 0x3100 && c <= 0x312F) || (c >= 0x31A0 && c <= 0x31BF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x3200 && c <= 0x33FF) || (c >= 0x3400 && c <= 0x4DB5) || (c >= 0x4E00 && c <= 0x9FBB) ||
         (c >= 0xF900 && c <= 0xFA2D) || (c >= 0xFA30 && c <= 0xFA6A) || (c >= 0xFA70 && c <= 0xFAD9) ||
         (c >= 0xFE10 && c <= 0xFE1F) || (c >= 0xFE30 && c <= 0xFE4F) || c >= 0xFF00;
}

// What the substitutions see around the text: 13a pads it with spaces, zh does not.
enum class Edges : std::uint8_t { Padded, Bare };

template <Edges kEdges, const ByteTable& kBytes, class SeparateHigh, class Emit>
void apply_13a_substitutions(std::string_view text, SeparateHigh&& separate_high, Emit&& emit) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* used_by_s2 = kEdges == Edges::Padded ? nullptr : begin;  // where the last \2 of S2 ended
  OpenToken token(text, emit);
  auto look_at = [&](const char* p) {
    if (*p == ' ') return token.close(p, p + 1);  // nearly always; a jump through the table costs more
    switch (kBytes[static_cast<unsigned char>(*p)]) {
      case Byte13a::Word:
        break;
      case Byte13a::Space:
        token.close(p, p + 1);
        break;
      case Byte13a::Alone:
        token.close_and_emit(p, p + 1);
        break;
      case Byte13a::PeriodComma: {
        const bool s2 = used_by_s2 != p && (p == begin || !is_digit(p[-1]));
        const bool at_end = p + 1 == end;
        const bool s3 = at_end ? kEdges == Edges::Padded : !is_digit(p[1]);
        if (s2 || s3) token.close_and_emit(p, p + 1);
        if (s2) used_by_s2 = p + 1;
        break;
      }
      case Byte13a::Dash:
        if (p != begin && is_digit(p[-1])) token.close_and_emit(p, p + 1);
        break;
      case Byte13a::High:
        separate_high(token, p, end);
        break;
    }
  };
  for (const char* block = begin; block < end; block += 64) {
    std::uint64_t marks =
        special_bytes<kBytes>(begin, block, std::min<std::size_t>(64, static_cast<std::size_t>(end - block)));
    for (; marks != 0; marks &= marks - 1) look_at(block + std::countr_zero(marks));
  }
  token.close(end, end);
}

void replace_all(std::string& text, std::string_view from, std::string_view to);

// In mteval's order, so that "&amp;lt;" becomes "<" and "&amp;quot;" does not become a quote.
void unescape_entities(std::string& text);

// mteval's clean-up before 13a. Returns the text itself where there is nothing to clean.
std::string_view clean_for_13a(std::string_view text, std::string& scratch);

// The substitutions alone, which split at white space of all kinds.
template <Edges kEdges, class Emit>
void tokenize_western(std::string_view text, Emit&& emit) {
  auto separate_spaces = [](auto& token, const char* p, const char* end) {
    if (const std::size_t width = space_at(p, end)) token.close(p, p + width);
  };
  apply_13a_substitutions<kEdges, kBytes13a>(text, separate_spaces, emit);
}

// mteval lower-cases what is clean, and knows the letters A to Z only; sacreBLEU cleans what is lower-cased.
// It shows in "&AMP;", which is not an entity, but is one once it is lower-cased.
template <class Emit>
void tokenize_13a(std::string_view text, unicode::Case letter_case, Rewritten& rewritten, Emit&& emit) {
  const bool as_mteval = letter_case == unicode::Case::LowerAscii;
  if (as_mteval) text = clean_for_13a(text, rewritten.cleaned);
  text = unicode::in_case(text, letter_case, rewritten.cased);
  if (!as_mteval) text = clean_for_13a(text, rewritten.cleaned);
  tokenize_western<Edges::Padded>(text, emit);
}

template <bool kFixed, class Emit>
void tokenize_zh(std::string_view text, Emit&& emit) {
  auto separate_chinese = [](auto& token, const char* p, const char* end) {
    const char* after = p;
    const char32_t c = unicode::decode(after, end);
    if (unicode::is_space(c)) {
      token.close(p, after);
    } else if (is_chinese<kFixed>(c)) {
      token.close_and_emit(p, after);
    }
  };
  apply_13a_substitutions<Edges::Bare, kBytesZh>(strip_left(strip_right(text)), separate_chinese, emit);
}

// ---------------------------------------------------------------------------------------------------
// intl (mteval-v14 --international-tokenization):
//
//   (\P{N})(\p{P}) -> "\1 \2 "      (\p{P})(\P{N}) -> " \1 \2"      (\p{S}) -> " \1 "
//
// The first two play the parts of S2 and S3 above, with Unicode numbers for digits and every punctuation
// mark for period and comma, and the same argument holds. The text is not padded: "2017." keeps its period.
// sacreBLEU has only this; mteval-v14 cleans the text before (intl-mteval), and with its option -e makes
// every character that is not ASCII stand alone (intl-mteval-split).

// mteval's clean-up before intl. Returns the text itself where there is nothing to clean.
std::string_view clean_for_intl(std::string_view text, bool split_non_ascii, std::string& scratch);

template <class Emit>
void tokenize_intl(std::string_view text, Emit&& emit) {
  using unicode::Kind;
  const char* p = text.data();
  const char* const end = p + text.size();
  bool after_non_number = false;  // the previous character can serve as \1 of the first substitution
  OpenToken token(text, emit);
  while (p < end) {
    const char* const start = p;
    const char32_t c = unicode::decode(p, end);
    if (unicode::is_space(c)) {
      token.close(start, p);
      after_non_number = true;
      continue;
    }
    switch (unicode::kind(c)) {
      case Kind::Other:
        after_non_number = true;
        break;
      case Kind::Number:
        after_non_number = false;
        break;
      case Kind::Symbol:
        token.close_and_emit(start, p);
        after_non_number = true;
        break;
      case Kind::Punctuation: {
        const bool first = after_non_number;
        bool second = false;
        if (p < end) {
          const char* next = p;
          second = unicode::kind(unicode::decode(next, end)) != Kind::Number;
        }
        if (first || second) token.close_and_emit(start, p);
        after_non_number = !first;
        break;
      }
    }
  }
  token.close(end, end);
}

// ---------------------------------------------------------------------------------------------------
// rouge: the text in lower case, and of that what consists of a to z and 0 to 9. rouge-porter: with its words
// of more than 3 characters stemmed. (PyPI's rouge-score, after ROUGE-1.5.5.)

template <bool kStemmed, class Emit>
void tokenize_rouge(std::string_view text, std::string& scratch, Emit&& emit) {
  if (unicode::in_case(text, unicode::Case::Lower, scratch).data() != scratch.data()) scratch = text;
  char* p = scratch.data();
  char* const end = p + scratch.size();
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); };
  while (p < end) {
    char* const begin = p;
    while (p < end && is_word(*p)) ++p;
    if (p != begin) {
      auto length = static_cast<std::size_t>(p - begin);
      if constexpr (kStemmed) {
        if (length > 3) length = porter_stem(begin, length);
      }
      emit(begin, begin + length, end);
    }
    while (p < end && !is_word(*p)) ++p;
  }
}

// ---------------------------------------------------------------------------------------------------

template <class Emit>
void tokenize(Tokenizer tokenizer, unicode::Case letter_case, std::string_view text, Rewritten& rewritten,
              Emit&& emit) {
  const auto cased = [&](std::string_view given) {
    return unicode::in_case(given, letter_case, rewritten.cased);
  };
  const auto cleaned = [&](bool split_non_ascii) {
    return clean_for_intl(strip_right(text), split_non_ascii, rewritten.cleaned);
  };
  switch (tokenizer) {
    case Tokenizer::None:
      return tokenize_none(cased(text), emit);
    case Tokenizer::AsciiSpaces:
      return tokenize_ascii_spaces(cased(text), emit);
    case Tokenizer::V13a:
      return tokenize_13a(text, letter_case, rewritten, emit);
    case Tokenizer::V13aBare:
      return tokenize_western<Edges::Bare>(cased(text), emit);
    case Tokenizer::Intl:
      return tokenize_intl(strip_right(cased(text)), emit);
    case Tokenizer::IntlMteval:
      return tokenize_intl(cased(cleaned(false)), emit);
    case Tokenizer::IntlMtevalSplit:
      return tokenize_intl(cased(cleaned(true)), emit);
    case Tokenizer::Zh:
      return tokenize_zh<false>(cased(text), emit);
    case Tokenizer::ZhFixed:
      return tokenize_zh<true>(cased(text), emit);
    case Tokenizer::Char:
      return tokenize_char(cased(text), emit);
    case Tokenizer::CharSpaced:
      return tokenize_char_spaced(cased(text), emit);
    case Tokenizer::Jiwer:
      return tokenize_jiwer(cased(text), emit);
    case Tokenizer::Rouge:
      return tokenize_rouge<false>(cased(text), rewritten.cleaned, emit);
    case Tokenizer::RougePorter:
      return tokenize_rouge<true>(cased(text), rewritten.cleaned, emit);
  }
}

}  // namespace understudy
