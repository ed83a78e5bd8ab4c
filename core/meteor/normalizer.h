// How METEOR 1.5 makes words of text: its option -norm, and what it does without.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/unicode.h"

namespace understudy {

// What becomes of an apostrophe between letters: don 't in English, l' eau in French, d ' accord elsewhere.
enum class Apostrophes : std::uint8_t { English, French, Apart };

// METEOR's normaliser is a sequence of regular expressions. Each replaces as it goes and takes up again
// behind what it replaced, so that of two commas with one letter between them only the first is seen. To keep
// such effects the steps are done one after the other here too, each in one pass over code points.
class MeteorNormalizer {
 public:
  struct Options {
    Apostrophes apostrophes = Apostrophes::English;
    bool punctuation = true;                   // kept, or all but letters and digits taken out
    std::vector<std::string> prefixes;         // keep their full stop: Mr.
    std::vector<std::string> number_prefixes;  // keep it before a number: No. 5
  };
  explicit MeteorNormalizer(const Options& options);

  // Appends the text with single spaces between the words.
  void normalize(std::string_view text, std::string& out);

 private:
  void separate_others(std::string_view text);
  void mark_ellipses();
  void mark_ellipses_step_by_step();
  void separate_commas();
  void straighten_quotes_and_dashes();
  void open_hyphens();
  void separate_apostrophes();
  void separate_full_stops();
  void restore_ellipses();
  void append_words(std::string& out);

  template <class Before, class After, class Write>
  void replace_between(Before&& before, char32_t middle, After&& after, Write&& write);
  bool has(char32_t c) const { return text_.find(c) != std::u32string::npos; }

  Apostrophes apostrophes_;
  bool punctuation_;
  std::unordered_set<std::u32string> prefixes_;
  std::unordered_set<std::u32string> number_prefixes_;
  std::u32string text_;
  std::u32string next_;
  std::u32string prefix_;
};

// The length of text as Java counts it, in units of UTF-16.
inline std::size_t length_in_java(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// Calls emit(word) for what Java's StringTokenizer finds: Unicode's other spaces do not separate.
template <class Emit>
void split_as_java(std::string_view text, Emit&& emit) {
  constexpr std::uint64_t kSpaces = 0x1'0000'3600;  // space, tab, line feed, form feed, carriage return
  const auto is_space = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 32 && (kSpaces >> byte & 1) != 0;
  };
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p != end;) {
    if (is_space(*p)) {
      ++p;
      continue;
    }
    const char* const begin = p;
    while (p != end && !is_space(*p)) ++p;
    emit(std::string_view(begin, static_cast<std::size_t>(p - begin)));
  }
}

}  // namespace understudy
