#include "text/english_stem.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace understudy {

namespace {

using View = std::u16string_view;

// A vowel is one of aeiouy; a y that stands for a consonant is written Y meanwhile.
bool is_vowel(char16_t c) { return View(u"aeiouy").find(c) != View::npos; }

constexpr std::array<std::pair<View, View>, 18> kWholeWords{{
    {u"skis", u"ski"},
    {u"skies", u"sky"},
    {u"dying", u"die"},
    {u"lying", u"lie"},
    {u"tying", u"tie"},
    {u"idly", u"idl"},
    {u"gently", u"gentl"},
    {u"ugly", u"ugli"},
    {u"early", u"earli"},
    {u"only", u"onli"},
    {u"singly", u"singl"},
    {u"sky", u"sky"},
    {u"news", u"news"},
    {u"howe", u"howe"},
    {u"atlas", u"atlas"},
    {u"cosmos", u"cosmos"},
    {u"bias", u"bias"},
    {u"andes", u"andes"},
}};

constexpr std::array<View, 8> kWithoutPlural{u"inning",  u"outing",  u"canning", u"herring",
                                             u"earring", u"proceed", u"exceed",  u"succeed"};

class Stemmer {
 public:
  explicit Stemmer(std::u16string& word) : word_(word) {}

  void run() {
    for (const auto& [word, stem] : kWholeWords) {
      if (word_ == word) {
        word_ = stem;
        return;
      }
    }
    if (word_.size() < 3) return;
    mark_consonant_y();
    mark_regions();
    plural_and_possessive();
    if (std::find(kWithoutPlural.begin(), kWithoutPlural.end(), View(word_)) == kWithoutPlural.end()) {
      past_and_gerund();
      final_y();
      double_suffix();
      simple_suffix();
      latinate_suffix();
      final_e_and_l();
    }
    if (marked_) std::replace(word_.begin(), word_.end(), u'Y', u'y');
  }

 private:
  // The first region starts behind the first consonant after a vowel, the second likewise within the first.
  std::size_t region_after(std::size_t at) const {
    while (at < word_.size() && !is_vowel(word_[at])) ++at;
    while (at < word_.size() && is_vowel(word_[at])) ++at;
    return std::min(at + 1, word_.size());
  }

  void mark_consonant_y() {
    if (word_[0] == u'\'') word_.erase(0, 1);
    for (std::size_t i = 0; i < word_.size(); ++i) {
      if (word_[i] != u'y' || (i > 0 && !is_vowel(word_[i - 1]))) continue;
      word_[i] = u'Y';
      marked_ = true;
    }
  }

  void mark_regions() {
    first_ = std::u16string::npos;
    for (const View start : {View(u"gener"), View(u"commun"), View(u"arsen")}) {
      if (View(word_).starts_with(start)) first_ = start.size();
    }
    if (first_ == std::u16string::npos) first_ = region_after(0);
    second_ = region_after(first_);
  }

  bool ends(View suffix) const { return View(word_).ends_with(suffix); }
  bool in_first(View suffix) const { return word_.size() >= first_ + suffix.size(); }
  bool in_second(View suffix) const { return word_.size() >= second_ + suffix.size(); }
  void drop(std::size_t count) { word_.resize(word_.size() - count); }
  void replace(View suffix, View by) {
    drop(suffix.size());
    word_ += by;
  }
  bool has_vowel_before(std::size_t end) const {
    return std::any_of(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(end), is_vowel);
  }

  // Whether the word up to `end` ends in a short syllable: vowel and consonant, at the start or after
  // another.
  bool short_before(std::size_t end) const {
    if (end < 2) return false;
    const char16_t last = word_[end - 1];
    if (is_vowel(last) || !is_vowel(word_[end - 2])) return false;
    if (end == 2) return true;
    return last != u'w' && last != u'x' && last != u'Y' && !is_vowel(word_[end - 3]);
  }

  void plural_and_possessive() {
    for (const View possessive : {View(u"'s'"), View(u"'s"), View(u"'")}) {
      if (!ends(possessive)) continue;
      drop(possessive.size());
      break;
    }
    if (ends(u"sses")) {
      drop(2);
    } else if (ends(u"ied") || ends(u"ies")) {
      drop(word_.size() > 4 ? 2 : 1);
    } else if (ends(u"s") && !ends(u"us") && !ends(u"ss")) {
      if (word_.size() >= 2 && has_vowel_before(word_.size() - 2)) drop(1);
    }
  }

  void past_and_gerund() {
    for (const View suffix : {View(u"eedly"), View(u"eed")}) {
      if (!ends(suffix)) continue;
      if (in_first(suffix)) replace(suffix, u"ee");
      return;
    }
    for (const View suffix : {View(u"ingly"), View(u"edly"), View(u"ing"), View(u"ed")}) {
      if (!ends(suffix)) continue;
      if (has_vowel_before(word_.size() - suffix.size())) {
        drop(suffix.size());
        mend();
      }
      return;
    }
  }

  void mend() {
    if (ends(u"at") || ends(u"bl") || ends(u"iz")) {
      word_ += u'e';
      return;
    }
    const std::size_t size = word_.size();
    if (size >= 2 && word_[size - 1] == word_[size - 2] &&
        View(u"bdfgmnprt").find(word_[size - 1]) != View::npos) {
      drop(1);
    } else if (size == first_ && short_before(size)) {
      word_ += u'e';
    }
  }

  void final_y() {
    const std::size_t size = word_.size();
    if (size > 2 && (word_[size - 1] == u'y' || word_[size - 1] == u'Y') && !is_vowel(word_[size - 2])) {
      word_[size - 1] = u'i';
    }
  }

  // In the three below the longest suffix decides, whether or not it lies in the region.

  void double_suffix() {
    static constexpr std::array<std::pair<View, View>, 24> kSuffixes{{
        {u"ational", u"ate"}, {u"fulness", u"ful"}, {u"iveness", u"ive"}, {u"ization", u"ize"},
        {u"ousness", u"ous"}, {u"biliti", u"ble"},  {u"lessli", u"less"}, {u"tional", u"tion"},
        {u"alism", u"al"},    {u"aliti", u"al"},    {u"ation", u"ate"},   {u"entli", u"ent"},
        {u"fulli", u"ful"},   {u"iviti", u"ive"},   {u"ousli", u"ous"},   {u"abli", u"able"},
        {u"alli", u"al"},     {u"anci", u"ance"},   {u"ator", u"ate"},    {u"enci", u"ence"},
        {u"izer", u"ize"},    {u"bli", u"ble"},     {u"ogi", u"og"},      {u"li", u""},
    }};
    for (const auto& [suffix, by] : kSuffixes) {
      if (!ends(suffix)) continue;
      if (!in_first(suffix)) return;
      const std::size_t before = word_.size() - suffix.size();
      const char16_t last = before > 0 ? word_[before - 1] : u' ';
      if (suffix == u"ogi" && last != u'l') return;
      if (suffix == u"li" && View(u"cdeghkmnrt").find(last) == View::npos) return;
      replace(suffix, by);
      return;
    }
  }

  void simple_suffix() {
    static constexpr std::array<std::pair<View, View>, 9> kSuffixes{{
        {u"ational", u"ate"},
        {u"tional", u"tion"},
        {u"alize", u"al"},
        {u"ative", u""},
        {u"icate", u"ic"},
        {u"iciti", u"ic"},
        {u"ical", u"ic"},
        {u"ness", u""},
        {u"ful", u""},
    }};
    for (const auto& [suffix, by] : kSuffixes) {
      if (!ends(suffix)) continue;
      if (in_first(suffix) && (suffix != u"ative" || in_second(suffix))) replace(suffix, by);
      return;
    }
  }

  void latinate_suffix() {
    static constexpr std::array<View, 18> kSuffixes{
        u"ement", u"able", u"ance", u"ence", u"ible", u"ment", u"ant", u"ate", u"ent",
        u"ion",   u"ism",  u"iti",  u"ive",  u"ize",  u"ous",  u"al",  u"er",  u"ic",
    };
    for (const View suffix : kSuffixes) {
      if (!ends(suffix)) continue;
      if (!in_second(suffix)) return;
      const std::size_t before = word_.size() - suffix.size();
      if (suffix == u"ion" && (before == 0 || (word_[before - 1] != u's' && word_[before - 1] != u't')))
        return;
      drop(suffix.size());
      return;
    }
  }

  void final_e_and_l() {
    const std::size_t size = word_.size();
    if (ends(u"e")) {
      if (in_second(u"e") || (in_first(u"e") && !short_before(size - 1))) drop(1);
    } else if (ends(u"ll") && in_second(u"l")) {
      drop(1);
    }
  }

  std::u16string& word_;
  std::size_t first_ = 0;
  std::size_t second_ = 0;
  bool marked_ = false;  // some y
};

}  // namespace

void stem_english(std::u16string& word) { Stemmer(word).run(); }

}  // namespace understudy
