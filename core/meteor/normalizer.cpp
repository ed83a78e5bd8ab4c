#include "meteor/normalizer.h"

#include <algorithm>
#include <array>

namespace understudy {

namespace {

// METEOR's own list of letters: Latin and Cyrillic, and the phonetic extensions.
bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
  if (c < 0x180) return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0x17F;
  return (c >= 0x400 && c <= 0x527) || (c >= 0xA640 && c <= 0xA66E) || (c >= 0xA67E && c <= 0xA697) ||
         (c >= 0x1D00 && c <= 0x1D7F);
}
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_word(char32_t c) { return is_digit(c) || is_letter(c); }
bool is_other(char32_t c) { return !is_letter(c); }
bool is_no_digit(char32_t c) { return !is_digit(c); }

constexpr char32_t kLeftQuote = 0x2018;
constexpr char32_t kRightQuote = 0x2019;

// What the first step leaves where it is: words, ASCII white space, and marks that later steps look at.
bool stays_in_place(char32_t c) {
  if (is_word(c)) return true;
  if (c < 0x80) {
    return c == U' ' || (c >= U'\t' && c <= U'\r') || c == U'.' || c == U'\'' || c == U'`' || c == U',' ||
           c == U'-';
  }
  return c == kLeftQuote || c == kRightQuote;
}

bool is_java_space(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f'; }

bool is_unicode_space(char32_t c) {
  return c == U' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

constexpr std::u32string_view kDot = U"DOT";
constexpr std::u32string_view kMulti = U"MULTI";
constexpr std::u32string_view kOneDot = U"DOTMULTI";
constexpr std::u32string_view kOneDotAndMore = U"DOTMULTI.";
constexpr std::u32string_view kTwoDots = U"DOTDOTMULTI";

void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to,
                 std::u32string& scratch) {
  scratch.clear();
  std::size_t done = 0;
  for (std::size_t at; (at = text.find(from, done)) != std::u32string::npos; done = at + from.size()) {
    scratch.append(text, done, at - done);
    scratch.append(to);
  }
  scratch.append(text, done);
  text.swap(scratch);
}

std::u32string decoded(std::string_view text) {
  std::u32string result;
  for (const char *p = text.data(), *end = p + text.size(); p != end;) result += unicode::decode(p, end);
  return result;
}

}  // namespace

MeteorNormalizer::MeteorNormalizer(const Options& options)
    : apostrophes_(options.apostrophes), punctuation_(options.punctuation) {
  for (const std::string& prefix : options.prefixes) prefixes_.insert(decoded(prefix));
  for (const std::string& prefix : options.number_prefixes) number_prefixes_.insert(decoded(prefix));
}

void MeteorNormalizer::normalize(std::string_view text, std::string& out) {
  separate_others(text);
  mark_ellipses();
  separate_commas();
  straighten_quotes_and_dashes();
  open_hyphens();
  separate_apostrophes();
  separate_full_stops();
  restore_ellipses();
  append_words(out);
}

// ---------------------------------------------------------------------------------------------------

void MeteorNormalizer::separate_others(std::string_view text) {
  text_.assign(1, U' ');
  for (const char *p = text.data(), *end = p + text.size(); p != end;) {
    const char32_t c = unicode::decode(p, end);
    if (stays_in_place(c)) {
      text_ += c;
    } else {
      text_ += U' ';
      text_ += c;
      text_ += U' ';
    }
  }
  text_ += U' ';
}

// Two and more full stops become a word of letters for a while, DOTDOTMULTI, that no later step takes apart.
void MeteorNormalizer::mark_ellipses() {
  // Text that has such a word itself is treated as METEOR treats it.
  if (text_.find(kOneDot) != std::u32string::npos) return mark_ellipses_step_by_step();
  if (text_.find(U"..") == std::u32string::npos) return;
  next_.clear();
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t after = std::min(text_.find_first_not_of(U'.', i), text_.size());
    if (after - i < 2) {
      next_ += text_[i++];
      continue;
    }
    next_ += U' ';
    for (; i < after; ++i) next_ += kDot;
    next_ += kMulti;
    next_ += U' ';
  }
  text_.swap(next_);
}

void MeteorNormalizer::mark_ellipses_step_by_step() {
  next_.clear();
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t after = std::min(text_.find_first_not_of(U'.', i), text_.size());
    if (after - i < 2) {
      next_ += text_[i++];
      continue;
    }
    next_ += U' ';
    next_ += kOneDot;
    next_.append(after - i - 1, U'.');
    i = after;
  }
  text_.swap(next_);
  while (text_.find(kOneDotAndMore) != std::u32string::npos) {
    next_.clear();
    std::size_t done = 0;
    for (std::size_t at = 0; (at = text_.find(kOneDotAndMore, at)) != std::u32string::npos;) {
      const std::size_t last = at + kOneDotAndMore.size();
      if (last >= text_.size() || text_[last] == U'.') {
        ++at;
        continue;
      }
      next_.append(text_, done, at - done);
      next_ += kTwoDots;
      next_ += U' ';
      next_ += text_[last];
      done = at = last + 1;
    }
    next_.append(text_, done);
    text_.swap(next_);
    replace_all(text_, kOneDotAndMore, kTwoDots, next_);
  }
}

// DOTDOTDOTMULTI to three full stops.
void MeteorNormalizer::restore_ellipses() {
  if (text_.find(kOneDot) == std::u32string::npos) return;
  next_.clear();
  std::size_t done = 0;
  for (std::size_t at; (at = text_.find(kMulti, done)) != std::u32string::npos; done = at + kMulti.size()) {
    std::size_t begin = at;
    while (begin >= done + kDot.size() && text_.compare(begin - kDot.size(), kDot.size(), kDot) == 0) {
      begin -= kDot.size();
    }
    next_.append(text_, done, begin - done);
    if (begin == at) {
      next_ += kMulti;
    } else {
      next_.append((at - begin) / kDot.size(), U'.');
    }
  }
  next_.append(text_, done);
  text_.swap(next_);
}

// ---------------------------------------------------------------------------------------------------

// Of one character between two others that qualify: write(first, second) says what becomes of the three.
template <class Before, class After, class Write>
void MeteorNormalizer::replace_between(Before&& before, char32_t middle, After&& after, Write&& write) {
  next_.clear();
  const std::size_t size = text_.size();
  std::size_t i = 0;
  while (i + 2 < size) {
    if (text_[i + 1] == middle && before(text_[i]) && after(text_[i + 2])) {
      write(text_[i], text_[i + 2]);
      i += 3;
    } else {
      next_ += text_[i++];
    }
  }
  next_.append(text_, i);
  text_.swap(next_);
}

void MeteorNormalizer::separate_commas() {
  if (!has(U',')) return;
  const auto apart = [this](char32_t first, char32_t second) {
    next_ += first;
    next_ += U" , ";
    next_ += second;
  };
  replace_between(is_no_digit, U',', is_no_digit, apart);
  replace_between(is_digit, U',', is_no_digit, apart);
  replace_between(is_no_digit, U',', is_digit, apart);
}

void MeteorNormalizer::straighten_quotes_and_dashes() {
  for (char32_t& c : text_) {
    if (c == U'`' || c == kLeftQuote || c == kRightQuote) c = U'\'';
  }
  const auto is_double_quote = [](char32_t c) { return c == 0x201C || c == 0x201D; };
  if (text_.find(U"''") != std::u32string::npos || std::any_of(text_.begin(), text_.end(), is_double_quote)) {
    next_.clear();
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const bool two = text_[i] == U'\'' && i + 1 < text_.size() && text_[i + 1] == U'\'';
      if (two || is_double_quote(text_[i])) {
        next_ += U" \" ";
        i += two ? 1 : 0;
      } else {
        next_ += text_[i];
      }
    }
    text_.swap(next_);
  }
  std::replace(text_.begin(), text_.end(), char32_t{0x2013}, U'-');
  if (text_.find(U"--") != std::u32string::npos) replace_all(text_, U"--", U"-", next_);
}

void MeteorNormalizer::open_hyphens() {
  if (!has(U'-')) return;
  replace_between([](char32_t c) { return c == U'.' || is_word(c); }, U'-', is_word,
                  [this](char32_t first, char32_t second) {
                    next_ += first;
                    next_ += U' ';
                    next_ += second;
                  });
}

void MeteorNormalizer::separate_apostrophes() {
  if (!has(U'\'')) return;
  if (apostrophes_ == Apostrophes::Apart) {
    replace_all(text_, U"'", U" ' ", next_);
    return;
  }
  const auto write = [this](std::u32string_view between) {
    return [this, between](char32_t first, char32_t second) {
      next_ += first;
      next_ += between;
      next_ += second;
    };
  };
  const auto is_neither = [](char32_t c) { return !is_word(c); };
  replace_between(is_other, U'\'', is_other, write(U" ' "));
  if (apostrophes_ == Apostrophes::English) {
    replace_between(is_neither, U'\'', is_letter, write(U" ' "));
    replace_between(is_letter, U'\'', is_other, write(U" ' "));
    replace_between(is_letter, U'\'', is_letter, write(U" '"));
    replace_between(is_digit, U'\'', [](char32_t c) { return c == U's'; }, write(U" '"));
  } else {
    replace_between(is_other, U'\'', is_letter, write(U" ' "));
    replace_between(is_letter, U'\'', is_other, write(U" ' "));
    replace_between(is_letter, U'\'', is_letter, write(U"' "));
  }
}

// ---------------------------------------------------------------------------------------------------

// A full stop at the end of a word: part of it (Mr. x), or a word of its own; abbreviations lose theirs
// (U.S.).
void MeteorNormalizer::separate_full_stops() {
  next_.clear();
  const std::size_t size = text_.size();
  const auto next_word = [&](std::size_t from) {
    return static_cast<std::size_t>(
        std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(from), text_.end(), is_java_space) -
        text_.begin());
  };
  for (std::size_t begin = next_word(0); begin < size;) {
    std::size_t end = begin;
    while (end < size && !is_java_space(text_[end])) ++end;
    const std::size_t following = next_word(end);
    const char32_t initial = following < size ? text_[following] : U' ';
    if (end - begin > 1 && text_[end - 1] == U'.') {
      prefix_.assign(text_, begin, end - 1 - begin);
      if (prefix_.find(U'.') != std::u32string::npos &&
          std::any_of(prefix_.begin(), prefix_.end(), is_letter)) {
        std::copy_if(prefix_.begin(), prefix_.end(), std::back_inserter(next_),
                     [](char32_t c) { return c != U'.'; });
      } else {
        next_ += prefix_;
        const bool keeps = prefixes_.contains(prefix_) || (initial >= U'a' && initial <= U'z') ||
                           (is_digit(initial) && number_prefixes_.contains(prefix_));
        if (!keeps) next_ += U' ';
        next_ += U'.';
      }
    } else {
      next_.append(text_, begin, end - begin);
    }
    next_ += U' ';
    begin = following;
  }
  text_.swap(next_);
}

void MeteorNormalizer::append_words(std::string& out) {
  if (!punctuation_) {
    std::replace_if(text_.begin(), text_.end(), [](char32_t c) { return !is_word(c); }, U' ');
  }
  // Runs of spaces become one; Java's trim takes control characters too, at the ends of the line only.
  std::size_t begin = 0;
  std::size_t end = text_.size();
  const auto trimmed = [&](char32_t c) { return c <= U' ' || is_unicode_space(c); };
  while (begin < end && trimmed(text_[begin])) ++begin;
  while (end > begin && trimmed(text_[end - 1])) --end;
  bool space_due = false;
  for (std::size_t i = begin; i < end; ++i) {
    const char32_t c = text_[i];
    if (is_unicode_space(c)) {
      space_due = true;
      continue;
    }
    if (space_due) out += ' ';
    space_due = false;
    unicode::append_utf8(out, c);
  }
}

}  // namespace understudy
