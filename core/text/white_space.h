// White space: what Python's str.split() splits at, looked for 64 bytes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

#include "text/unicode.h"

namespace understudy {

// The bytes of the white-space character at p, or 0 if there is none.
inline std::size_t space_at(const char* p, const char* end) {
  const auto c = static_cast<unsigned char>(*p);
  if (c < 0x80) return (c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F)) ? 1 : 0;
  // Only these four lead bytes start a white-space character.
  if (c != 0xC2 && c != 0xE1 && c != 0xE2 && c != 0xE3) return 0;
  const char* after = p;
  return unicode::is_space(unicode::decode(after, end)) ? static_cast<std::size_t>(after - p) : 0;
}

inline std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* last = end - 1;
    while (last > begin && (static_cast<unsigned char>(*last) & 0xC0) == 0x80) --last;
    if (space_at(last, end) == 0) break;
    text.remove_suffix(static_cast<std::size_t>(end - last));
  }
  return text;
}

inline std::string_view strip_left(std::string_view text) {
  while (!text.empty()) {
    const std::size_t width = space_at(text.data(), text.data() + text.size());
    if (width == 0) break;
    text.remove_prefix(width);
  }
  return text;
}

#if defined(__SSE2__) || defined(_M_X64)
// Which of 16 bytes are from `first` to `first + size`.
inline __m128i in_range(__m128i bytes, char first, char size) {
  const __m128i distance = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
  return _mm_cmpeq_epi8(_mm_min_epu8(distance, _mm_set1_epi8(size)), distance);
}
#endif

// A bit for each of up to 64 bytes that a white-space character may start with.
inline std::uint64_t space_starts(const char* p, std::size_t count) {
  std::uint64_t marks = 0;
  std::size_t i = 0;
#if defined(__SSE2__) || defined(_M_X64)
  for (; i + 16 <= count; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const __m128i ascii = in_range(bytes, 0, ' ');
    const __m128i lead =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\xC2')), in_range(bytes, '\xE1', 2));
    const int starts = _mm_movemask_epi8(_mm_or_si128(ascii, lead));
    marks |= static_cast<std::uint64_t>(static_cast<std::uint16_t>(starts)) << i;
  }
#endif
  for (; i < count; ++i) {
    const auto c = static_cast<unsigned char>(p[i]);
    marks |= std::uint64_t{c <= ' ' || c == 0xC2 || (c >= 0xE1 && c <= 0xE3)} << i;
  }
  return marks;
}

// Calls found(p, width) for every white-space character of the text, in order.
template <class Found>
void visit_spaces(std::string_view text, Found&& found) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* block = begin; block < end; block += 64) {
    std::uint64_t marks =
        space_starts(block, std::min<std::size_t>(64, static_cast<std::size_t>(end - block)));
    for (; marks != 0; marks &= marks - 1) {
      const char* const p = block + std::countr_zero(marks);
      if (const std::size_t width = space_at(p, end)) found(p, width);
    }
  }
}

}  // namespace understudy
