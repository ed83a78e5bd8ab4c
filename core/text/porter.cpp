#include "text/porter.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "text/unicode.h"

namespace understudy {

namespace {

// Words that no rule gets right; each keeps its stem here.
constexpr std::pair<std::string_view, std::string_view> kIrregular[] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"},
};
constexpr std::size_t kLongestIrregular = 8;

struct Rule {
  std::string_view ending;
  std::string_view replacement;
};

constexpr Rule kStep1a[] = {{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}};
constexpr Rule kStep2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"fulli", "ful"},   {"logi", "log"},
};
constexpr Rule kStep3[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                           {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
constexpr Rule kStep4[] = {{"al", ""},   {"ance", ""}, {"ence", ""}, {"er", ""},    {"ic", ""},
                           {"able", ""}, {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""},
                           {"ent", ""},  {"ion", ""},  {"ou", ""},   {"ism", ""},   {"ate", ""},
                           {"iti", ""},  {"ous", ""},  {"ive", ""},  {"ize", ""}};

// Of letters that are bytes, or characters.
template <class Letter>
class Word {
 public:
  Word(Letter* text, std::size_t length) : text_(text), length_(length) {}

  std::size_t stemmed() {
    if (length_ <= kLongestIrregular) {
      for (const auto& [form, stem] : kIrregular) {
        if (length_ == form.size() && ends(form)) return take(stem);
      }
    }
    if (length_ <= 2) return length_;
    plural();
    past_and_progressive();
    final_y();
    double_suffixes();
    apply(kStep3, [this](const Rule&, std::size_t stem) { return measure(stem) > 0; });
    apply(kStep4, [this](const Rule& rule, std::size_t stem) {
      const bool after_ion =
          rule.ending != "ion" || (stem > 0 && (text_[stem - 1] == 's' || text_[stem - 1] == 't'));
      return after_ion && measure(stem) > 1;
    });
    final_e();
    if (ends("ll") && measure(length_ - 1) > 1) --length_;
    return length_;
  }

 private:
  bool ends(std::string_view ending) const {
    return length_ >= ending.size() &&
           std::equal(ending.begin(), ending.end(), text_ + (length_ - ending.size()),
                      [](char a, Letter b) { return static_cast<Letter>(a) == b; });
  }

  std::size_t take(std::string_view whole) {
    std::copy(whole.begin(), whole.end(), text_);
    return length_ = whole.size();
  }

  void replace(std::size_t ending, std::string_view replacement) {
    length_ -= ending;
    std::copy(replacement.begin(), replacement.end(), text_ + length_);
    length_ += replacement.size();
  }

  static bool is_plain_vowel(Letter c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

  // A y is a vowel after a consonant, and a consonant elsewhere.
  bool is_consonant(std::size_t i) const {
    if (is_plain_vowel(text_[i])) return false;
    std::size_t ys = 0;
    while (text_[i - ys] == 'y' && ys < i) ++ys;
    const bool first_is_consonant = !is_plain_vowel(text_[i - ys]);
    return first_is_consonant == (ys % 2 == 0);
  }

  // Porter's m: how often a consonant follows a vowel in the first `size` letters.
  std::size_t measure(std::size_t size) const {
    std::size_t changes = 0;
    bool after_vowel = false;
    for (std::size_t i = 0; i < size; ++i) {
      const bool vowel = is_plain_vowel(text_[i]) || (text_[i] == 'y' && i > 0 && !after_vowel);
      changes += after_vowel && !vowel ? 1 : 0;
      after_vowel = vowel;
    }
    return changes;
  }

  bool has_vowel(std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i) {
      // The first y behind another letter is a vowel, or that letter is.
      if (is_plain_vowel(text_[i]) || (text_[i] == 'y' && i > 0)) return true;
    }
    return false;
  }

  // Porter's *o: consonant, vowel, consonant, the last not w, x or y. NLTK: or a vowel and a consonant alone.
  bool ends_in_short_syllable(std::size_t size) const {
    if (size == 2) return !is_consonant(0) && is_consonant(1);
    if (size < 3) return false;
    const Letter last = text_[size - 1];
    return is_consonant(size - 3) && !is_consonant(size - 2) && is_consonant(size - 1) && last != 'w' &&
           last != 'x' && last != 'y';
  }

  // The first rule whose ending the word has decides: it is applied if its condition holds, and no other is.
  template <class Condition>
  void apply(std::span<const Rule> rules, Condition&& condition) {
    for (const Rule& rule : rules) {
      if (!ends(rule.ending)) continue;
      if (condition(rule, length_ - rule.ending.size())) replace(rule.ending.size(), rule.replacement);
      return;
    }
  }

  void plural() {
    if (ends("ies") && length_ == 4) return replace(1, "");  // ties: tie
    apply(kStep1a, [](const Rule&, std::size_t) { return true; });
  }

  void past_and_progressive() {
    if (ends("ied")) return replace(length_ == 4 ? 1 : 2, "");  // died: die, spied: spi
    if (ends("eed")) {
      if (measure(length_ - 3) > 0) --length_;
      return;
    }
    const std::size_t ending = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    if (ending == 0 || !has_vowel(length_ - ending)) return;
    length_ -= ending;
    if (ends("at") || ends("bl") || ends("iz")) return replace(0, "e");
    const Letter last = text_[length_ - 1];
    if (length_ >= 2 && text_[length_ - 2] == last && is_consonant(length_ - 1)) {
      if (last != 'l' && last != 's' && last != 'z') --length_;
      return;
    }
    if (measure(length_) == 1 && ends_in_short_syllable(length_)) replace(0, "e");
  }

  void final_y() {
    if (ends("y") && length_ > 2 && is_consonant(length_ - 2)) replace(1, "i");
  }

  void double_suffixes() {
    while (ends("alli") && measure(length_ - 4) > 0) replace(2, "");
    apply(kStep2, [this](const Rule& rule, std::size_t stem) {
      return measure(rule.ending == "logi" ? stem + 1 : stem) > 0;  // the l of -logi belongs to the stem
    });
  }

  void final_e() {
    if (!ends("e")) return;
    const std::size_t m = measure(length_ - 1);
    if (m > 1 || (m == 1 && !ends_in_short_syllable(length_ - 1))) --length_;
  }

  Letter* text_;
  std::size_t length_;
};

}  // namespace

std::size_t porter_stem(char* word, std::size_t length) { return Word(word, length).stemmed(); }

std::string porter_stem(std::string_view word) {
  std::u32string letters;
  for (const char *p = word.data(), *end = p + word.size(); p != end;)
    letters.push_back(unicode::decode(p, end));
  letters.resize(Word(letters.data(), letters.size()).stemmed());
  std::string stem;
  for (const char32_t letter : letters) unicode::append_utf8(stem, letter);
  return stem;
}

}  // namespace understudy
