// What METEOR knows of words and phrases: synonyms and paraphrases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/word_numbers.h"

namespace understudy {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// ---------------------------------------------------------------------------------------------------
// Words that share a set of synonyms (WordNet's synsets, by number).

class SynonymTable {
 public:
  // Both in METEOR's own format, pairs of lines: a base and its irregular forms; a word and the numbers of
  // its sets. A word that stands there twice has the sets named last.
  SynonymTable(std::string_view exceptions, std::string_view synsets);

  // Appends the numbers of the sets of a word and of its base, sorted, each once.
  void sets_of(std::string_view word, std::vector<std::int32_t>& sets) const;

  std::size_t words() const { return sets_.size(); }

 private:
  void append(std::string_view word, std::vector<std::int32_t>& sets) const;
  std::string base_of(std::string_view word) const;

  TextMap<std::vector<std::string>> bases_;
  TextMap<std::vector<std::int32_t>> sets_;
};

// ---------------------------------------------------------------------------------------------------
// Pairs of phrases of the same meaning.

class ParaphraseTable {
 public:
  struct Paraphrase {
    std::uint32_t first_word;
    std::uint32_t begin;   // of its words
    std::uint32_t length;  // in words
  };
  static constexpr std::uint32_t kNoWord = 0;

  // Text in METEOR's format, three lines each: a probability, which nobody reads, a phrase, its paraphrase.
  // It may come in pieces, cut anywhere; `finish` comes after the last.
  void add(std::string_view text);
  void finish();
  bool finished() const { return finished_; }

  std::size_t pairs() const { return paraphrases_.size(); }
  std::size_t vocabulary() const { return words_.size(); }  // words are numbered from 1
  std::uint32_t word(std::string_view text) const {
    return words_.find(Token::of(text.data(), text.data() + text.size(), text.data() + text.size()));
  }
  const std::uint32_t* words_of(const Paraphrase& paraphrase) const {
    return paraphrase_words_.data() + paraphrase.begin;
  }

  // Calls found(length, paraphrase) for every paraphrase of a phrase that starts the given words: shorter
  // phrases first, the paraphrases of each in the order in which they were added.
  template <class Found>
  void paraphrases_of(const std::uint32_t* words, std::size_t count, Found&& found) const {
    if (count == 0 || words[0] == kNoWord) return;
    std::uint32_t state = first_states_[words[0]];
    for (std::size_t length = 1; state != 0; ++length) {
      const State& here = states_[state];
      for (std::uint32_t i = here.paraphrases; i < states_[state + 1].paraphrases; ++i) {
        found(static_cast<std::uint32_t>(length), paraphrases_[i]);
      }
      if (length >= count || words[length] == kNoWord || !here.goes_on) return;
      state = next_state(state, words[length]);
    }
  }

 private:
  struct State {
    std::uint32_t paraphrases = 0;  // where they begin
    bool goes_on = false;
  };
  struct Step {
    std::uint64_t key = 0;  // state and word
    std::uint32_t to = 0;   // none leads to state 0, where all begin
  };

  void take_line(std::string_view line);
  void take_phrase(std::string_view line);
  void take_paraphrase(std::string_view line);
  std::uint32_t first_state(std::uint32_t word);
  std::uint32_t add_step(std::uint32_t state, std::uint32_t word);
  void make_room_for_step();
  std::uint32_t next_state(std::uint32_t state, std::uint32_t word) const;

  // While it is filled.
  std::string rest_;
  unsigned line_ = 0;
  std::string phrase_;
  std::uint32_t state_ = 0;                   // of the phrase
  std::vector<std::uint32_t> state_of_pair_;  // by the number of the pair

  bool finished_ = false;
  WordNumbers words_;
  std::vector<std::uint32_t> first_states_;  // by word
  std::vector<State> states_{State{}};
  std::vector<Step> steps_;
  std::size_t step_count_ = 0;
  std::vector<Paraphrase> paraphrases_;
  std::vector<std::uint32_t> paraphrase_words_;
};

}  // namespace understudy
