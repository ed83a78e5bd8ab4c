// Tercom 0.10 (Normalizer.java) defines the steps. sacreBLEU 2.6.0 follows it but for three of them, which
// `as_sacrebleu` keeps: it does not drop "<skipped>"; at a line break it drops "\n-" where Tercom drops "-\n"
// (a hyphenated word); and its three expressions for kana can never match, since the text is padded.
//
// sacreBLEU is followed in what is white space: all that Python takes for it, and none of it at the end of a
// text, where it would decide whether "'s" ends a word. To Java it is ASCII's alone, which `as_java` keeps.
#include "edit/tercom.h"

#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

namespace {

bool is_asian_punctuation(char32_t c) {
  if (c < 0x3001) return false;
  if (c <= 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) || c == 0x30FB) return true;
  if (c >= 0xFF61) return c <= 0xFF65;
  return c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B || c == 0xFF01 ||
         c == 0xFF02 || c == 0xFF08 || c == 0xFF09;
}

// Ideographs, strokes, radicals, compatibility and enclosed forms: each is a token of its own.
bool is_ideograph(char32_t c) {
  return (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F);
}

// Java's white space lacks U+001C to U+001F.
constexpr ByteTable make_java_table() {
  ByteTable table = kBytesZh;
  for (std::size_t c = 0x1C; c <= 0x1F; ++c) table[c] = Byte13a::Word;
  return table;
}

constexpr ByteTable kBytesJava = make_java_table();

enum class Kana : std::uint8_t { None, Hiragana, Katakana, Extension };

Kana kana(char32_t c) {
  if (c >= 0x3040 && c <= 0x309F) return Kana::Hiragana;
  if (c >= 0x30A0 && c <= 0x30FF) return Kana::Katakana;
  if (c >= 0x31F0 && c <= 0x31FF) return Kana::Extension;
  return Kana::None;
}

bool is_western_punctuation(char c) {
  return std::string_view(".,?:;!\"()").find(c) != std::string_view::npos;
}

void unescape(std::string& text, const TercomOptions& options) {
  if (!options.as_sacrebleu) replace_all(text, "<skipped>", "");
  replace_all(text, options.as_sacrebleu ? "\n-" : "-\n", "");
  replace_all(text, "\n", " ");
  unescape_entities(text);
}

// A space before every "'s" that ends a word. The end of a word is what has a space beside it when this
// step's turn comes: the end of the text, or a character that the step before it set apart.
void split_possessives(std::string& text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find("'s"); at != std::string::npos; at = text.find("'s", at + 2)) {
    const std::size_t after = at + 2;
    const bool ends = after == text.size() || text[after] == ' ' ||
                      kBytes13a[static_cast<unsigned char>(text[after])] == Byte13a::Alone;
    if (!ends) continue;
    out.append(text, copied, at - copied).push_back(' ');
    copied = at;
  }
  if (copied == 0) return;
  text = out.append(text, copied);
}

// The step from `text` to tokens: those of 13a, and those of CJK text.
template <class Emit>
void split_normalized(std::string_view text, const TercomOptions& options, Emit&& emit) {
  Kana last_kana = Kana::None;
  const char* last_kana_end = nullptr;
  auto separate_high = [&](auto& token, const char* p, const char* end) {
    const char* after = p;
    const char32_t c = unicode::decode(after, end);
    if (!options.as_java && unicode::is_space(c)) return token.close(p, after);
    if (!options.asian) return;
    if (is_ideograph(c) || is_asian_punctuation(c)) return token.close_and_emit(p, after);
    if (options.as_sacrebleu) return;
    // A run of one kind of kana stands apart from what is before and after it.
    const Kana now = kana(c);
    if (now == Kana::None) return;
    if (last_kana != now || last_kana_end != p) token.close(p, p);
    last_kana = now;
    last_kana_end = after;
    const char* next = after;
    if (after == end || kana(unicode::decode(next, end)) != now) token.close(after, after);
  };
  if (options.as_java) {
    apply_13a_substitutions<Edges::Padded, kBytesJava>(text, separate_high, emit);
  } else {
    apply_13a_substitutions<Edges::Padded, kBytesZh>(text, separate_high, emit);
  }
}

}  // namespace

std::string_view tercom_text(std::string_view text, unicode::Case letter_case, const TercomOptions& options,
                             Rewritten& rewritten) {
  text = unicode::in_case(options.as_java ? text : strip_right(text), letter_case, rewritten.cased);
  if (!options.normalized && !options.no_punct) return text;

  std::string cleaned;
  if (options.normalized) {
    cleaned.assign(text);
    unescape(cleaned, options);
    split_possessives(cleaned);
    text = cleaned;
  }

  std::string& scratch = rewritten.cleaned;
  scratch.clear();
  auto append = [&](const char* begin, const char* end, const char*) {
    if (!options.no_punct) {
      scratch.append(begin, end).push_back(' ');
      return;
    }
    const std::size_t start = scratch.size();
    for (const char* p = begin; p < end;) {
      const char* const character = p;
      const char32_t c = unicode::decode(p, end);
      const bool dropped =
          c < 0x80 ? is_western_punctuation(*character) : options.asian && is_asian_punctuation(c);
      if (!dropped) scratch.append(character, p);
    }
    if (scratch.size() > start) scratch.push_back(' ');
  };
  if (options.normalized) {
    split_normalized(text, options, append);
  } else if (options.as_java) {
    tokenize_ascii_spaces(text, append);
  } else {
    tokenize_none(text, append);
  }
  return scratch;
}

}  // namespace understudy
