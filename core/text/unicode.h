// What the metrics need of Unicode: UTF-8, general categories, white space and lower-casing.

#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/unicode_tables.h"

namespace understudy::unicode {

// Byte offset of the first sequence that is not UTF-8 (the `start` of Python's
// UnicodeDecodeError), or nothing if all of it is valid. Overlong forms, surrogates, code points
// beyond U+10FFFF and truncated sequences are invalid.
std::optional<std::size_t> find_invalid_utf8(std::string_view bytes);

// All functions below that take UTF-8 rely on it being valid.

// The code point at p, which must be before end; advances p past it.
inline char32_t decode(const char*& p, const char* end);

// Appends the encoding of a code point; surrogates have none.
void append_utf8(std::string& out, char32_t c);

// The major classes P*, N* and S* of the general category; everything else is Other.
enum class Kind : std::uint8_t { Other, Punctuation, Number, Symbol };

inline Kind kind(char32_t c);

// Whether Python's str.split() separates at this character: the White_Space property, and in
// addition the information separators U+001C to U+001F.
inline bool is_space(char32_t c);

// Appends the text in lower case exactly as the str.lower() of a Python with the same Unicode
// version has it, that is by the full, language-independent mapping of the Unicode standard. The
// text must not be part of out.
void lower(std::string_view utf8, std::string& out);

// Appends the text with A to Z in lower case and all else unchanged. The text must not be part of
// out.
void lower_ascii(std::string_view text, std::string& out);

// What is done about upper and lower case before anything else.
enum class Case : std::uint8_t { Keep, Lower, LowerAscii };

// The text in that case: itself, or rewritten in scratch.
std::string_view in_case(std::string_view text, Case letter_case, std::string& scratch);

// ------------------------------------------------------------------------------------------------

inline char32_t decode(const char*& p, [[maybe_unused]] const char* end) {
  assert(p < end);
  const auto lead = static_cast<unsigned char>(*p++);
  if (lead < 0x80) return lead;

  const auto continuation = [&p] { return static_cast<char32_t>(*p++ & 0x3F); };
  char32_t c;
  if (lead < 0xE0) {
    c = lead & 0x1Fu;
  } else if (lead < 0xF0) {
    c = lead & 0x0Fu;
    c = c << 6 | continuation();
  } else {
    c = lead & 0x07u;
    c = c << 6 | continuation();
    c = c << 6 | continuation();
  }
  return c << 6 | continuation();
}

inline Kind kind(char32_t c) {
  if (c >= tables::kKindLimit) return Kind::Other;
  const std::uint64_t word = tables::kKindWords[tables::kKindIndex[c / tables::kKindsPerWord]];
  return static_cast<Kind>(word >> (c % tables::kKindsPerWord * 2) & 3);
}

inline bool is_space(char32_t c) {
  // Without a branch between letters and spaces, which no processor predicts well.
  constexpr std::uint64_t kAsciiSpaces = 0x1'F000'3E00;  // bits 9 to 13 and 28 to 32
  if (c < 0x80) return (c < 64) & (kAsciiSpaces >> (c & 63));
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  if (c > 0x3000) return false;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

}  // namespace understudy::unicode
