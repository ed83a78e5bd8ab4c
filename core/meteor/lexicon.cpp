#include "meteor/lexicon.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include "meteor/normalizer.h"
#include "ngram/equal_ngrams.h"

namespace understudy {

namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// METEOR's rules for regular forms, the first that leads to a known word: WordNet's, of all parts of speech.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kEndings{{
    {"s", ""},    {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
    {"ies", "y"}, {"s", ""},    {"ies", "y"}, {"es", "e"},  {"es", ""},     {"ed", "e"},    {"ed", ""},
    {"ing", "e"}, {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"},
}};

Token token_of(std::string_view word) {
  const char* const end = word.data() + word.size();
  return Token::of(word.data(), end, end);
}

}  // namespace

SynonymTable::SynonymTable(std::string_view exceptions, std::string_view synsets) {
  while (!exceptions.empty()) {
    const std::string_view base = next_line(exceptions);
    split_as_java(next_line(exceptions),
                  [&](std::string_view form) { bases_[std::string(form)].emplace_back(base); });
  }
  while (!synsets.empty()) {
    const std::string_view word = next_line(synsets);
    std::vector<std::int32_t>& sets = sets_[std::string(word)];
    sets.clear();
    split_as_java(next_line(synsets), [&](std::string_view number) {
      std::int32_t value = 0;
      std::from_chars(number.data(), number.data() + number.size(), value);
      sets.push_back(value);
    });
  }
}

void SynonymTable::sets_of(std::string_view word, std::vector<std::int32_t>& sets) const {
  const auto start = static_cast<std::ptrdiff_t>(sets.size());
  append(word, sets);
  const auto irregular = bases_.find(word);
  if (irregular == bases_.end()) {
    append(base_of(word), sets);
  } else {
    for (const std::string& base : irregular->second) append(base, sets);
  }
  std::sort(sets.begin() + start, sets.end());
  sets.erase(std::unique(sets.begin() + start, sets.end()), sets.end());
}

void SynonymTable::append(std::string_view word, std::vector<std::int32_t>& sets) const {
  const auto found = sets_.find(word);
  if (found != sets_.end()) sets.insert(sets.end(), found->second.begin(), found->second.end());
}

std::string SynonymTable::base_of(std::string_view word) const {
  if (word.ends_with("ss") || length_in_java(word) <= 2) return std::string(word);
  for (const auto& [ending, by] : kEndings) {
    if (!word.ends_with(ending)) continue;
    std::string base(word.substr(0, word.size() - ending.size()));
    base += by;
    if (sets_.contains(base)) return base;
  }
  return {};
}

// ---------------------------------------------------------------------------------------------------

void ParaphraseTable::add(std::string_view text) {
  if (!rest_.empty()) {
    const std::size_t end = text.find('\n');
    rest_ += text.substr(0, end);
    if (end == std::string_view::npos) return;
    take_line(rest_);
    rest_.clear();
    text.remove_prefix(end + 1);
  }
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    take_line(text.substr(0, end));
  }
  rest_ = text;
}

void ParaphraseTable::take_line(std::string_view line) {
  if (line_ == 1) take_phrase(line);
  if (line_ == 2) take_paraphrase(line);
  line_ = (line_ + 1) % 3;
}

void ParaphraseTable::take_phrase(std::string_view line) {
  if (line == phrase_) return;  // the paraphrases of one phrase usually follow each other
  phrase_ = line;
  state_ = 0;
  split_as_java(line, [this](std::string_view text) {
    const std::uint32_t word = words_.find_or_add(token_of(text));
    state_ = state_ == 0 ? first_state(word) : add_step(state_, word);
  });
}

void ParaphraseTable::take_paraphrase(std::string_view line) {
  const std::size_t begin = paraphrase_words_.size();
  split_as_java(line, [this](std::string_view text) {
    paraphrase_words_.push_back(words_.find_or_add(token_of(text)));
  });
  const std::size_t length = paraphrase_words_.size() - begin;
  if (length == 0 || state_ == 0) return;  // nothing on one side says nothing
  paraphrases_.push_back(
      {paraphrase_words_[begin], static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length)});
  state_of_pair_.push_back(state_);
}

void ParaphraseTable::finish() {
  if (!rest_.empty()) take_line(std::exchange(rest_, {}));
  first_states_.resize(words_.size() + std::size_t{1}, 0);
  paraphrase_words_.shrink_to_fit();

  // Sorted by state; those of one state stay in order.
  states_.emplace_back();
  for (const std::uint32_t state : state_of_pair_) ++states_[state].paraphrases;
  std::uint32_t sum = 0;
  for (State& state : states_) sum += std::exchange(state.paraphrases, sum);
  std::vector<std::uint32_t> next(states_.size());
  std::transform(states_.begin(), states_.end(), next.begin(), [](const State& s) { return s.paraphrases; });
  std::vector<Paraphrase> sorted(paraphrases_.size());
  for (std::size_t i = 0; i < paraphrases_.size(); ++i) sorted[next[state_of_pair_[i]]++] = paraphrases_[i];
  paraphrases_ = std::move(sorted);
  state_of_pair_ = {};
  phrase_ = {};
  finished_ = true;
}

std::uint32_t ParaphraseTable::first_state(std::uint32_t word) {
  if (word >= first_states_.size()) first_states_.resize(2 * std::size_t{word} + 64, 0);
  if (first_states_[word] == 0) {
    first_states_[word] = static_cast<std::uint32_t>(states_.size());
    states_.emplace_back();
  }
  return first_states_[word];
}

std::uint32_t ParaphraseTable::add_step(std::uint32_t state, std::uint32_t word) {
  if (2 * step_count_ >= steps_.size()) make_room_for_step();
  const std::uint64_t key = std::uint64_t{state} << 32 | word;
  std::size_t slot = scramble(key) & (steps_.size() - 1);
  for (; steps_[slot].to != 0; slot = (slot + 1) & (steps_.size() - 1)) {
    if (steps_[slot].key == key) return steps_[slot].to;
  }
  steps_[slot] = {key, static_cast<std::uint32_t>(states_.size())};
  ++step_count_;
  states_[state].goes_on = true;
  states_.emplace_back();
  return steps_[slot].to;
}

void ParaphraseTable::make_room_for_step() {
  std::vector<Step> old(std::max<std::size_t>(1024, 2 * steps_.size()));
  old.swap(steps_);
  for (const Step& step : old) {
    if (step.to == 0) continue;
    std::size_t slot = scramble(step.key) & (steps_.size() - 1);
    while (steps_[slot].to != 0) slot = (slot + 1) & (steps_.size() - 1);
    steps_[slot] = step;
  }
}

std::uint32_t ParaphraseTable::next_state(std::uint32_t state, std::uint32_t word) const {
  const std::uint64_t key = std::uint64_t{state} << 32 | word;
  for (std::size_t slot = scramble(key) & (steps_.size() - 1); steps_[slot].to != 0;
       slot = (slot + 1) & (steps_.size() - 1)) {
    if (steps_[slot].key == key) return steps_[slot].to;
  }
  return 0;
}

}  // namespace understudy
