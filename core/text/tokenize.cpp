#include "text/tokenize.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace understudy {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    out.append(text, copied, at - copied).append(to);
    copied = at + from.size();
  }
  out.append(text, copied);
  text = std::move(out);
}

void unescape_entities(std::string& text) {
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

namespace {

bool has(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

// Whether the text has an ampersand, a "less than" or a line feed: in one pass, for most texts have none.
bool may_need_cleaning(std::string_view text) {
  const char* const p = text.data();
  std::size_t i = 0;
#if defined(__SSE2__) || defined(_M_X64)
  const auto found_in = [](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const auto equal = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    return _mm_or_si128(_mm_or_si128(equal('&'), equal('<')), equal('\n'));
  };
  if (text.size() >= 16) {
    __m128i found = found_in(p + text.size() - 16);
    for (; i + 16 <= text.size(); i += 16) found = _mm_or_si128(found, found_in(p + i));
    return _mm_movemask_epi8(found) != 0;
  }
#endif
  for (; i < text.size(); ++i) {
    if (p[i] == '&' || p[i] == '<' || p[i] == '\n') return true;
  }
  return false;
}

}  // namespace

std::string_view clean_for_13a(std::string_view text, std::string& scratch) {
  if (!may_need_cleaning(text)) return text;

  const bool entities = has(text, '&');
  scratch.assign(strip_right(text));
  replace_all(scratch, "<skipped>", "");
  replace_all(scratch, "-\n", "");
  replace_all(scratch, "\n", " ");
  if (entities) unescape_entities(scratch);
  return scratch;
}

std::string_view clean_for_intl(std::string_view text, bool split_non_ascii, std::string& scratch) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  split_non_ascii = split_non_ascii && !std::all_of(text.begin(), text.end(), is_ascii);
  if (!split_non_ascii && !has(text, '&') && !has(text, '<')) return text;

  scratch.assign(text);
  replace_all(scratch, "<skipped>", "");
  unescape_entities(scratch);
  replace_all(scratch, "&apos;", "'");
  if (!split_non_ascii) return scratch;
  std::string apart;
  const char* p = scratch.data();
  const char* const end = p + scratch.size();
  while (p < end) {
    const char* const character = p;
    unicode::decode(p, end);
    if (is_ascii(*character)) {
      apart.push_back(*character);
    } else {
      apart.append(" ").append(character, p).append(" ");
    }
  }
  scratch = std::move(apart);
  return scratch;
}

}  // namespace understudy
