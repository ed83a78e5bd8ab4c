#include "meteor/matches.h"

#include <algorithm>
#include <bit>

namespace understudy {

namespace {

constexpr std::size_t kManyMatches = 1 << 20;

}  // namespace

void MeteorMatches::find(MeteorWords hypothesis, MeteorWords reference) {
  hypothesis_ = hypothesis;
  reference_ = reference;
  const auto same = [](const MeteorWord* a, const MeteorWord* b) { return a->hash == b->hash; };
  const bool equal =
      std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end(), same);
  // Of equal texts only the first stage sees anything.
  stages_here_ = equal ? static_cast<StageSet>(stages_ & (0U - stages_)) : stages_;

  hypothesis_coverage_.assign(hypothesis.size(), 0);
  reference_coverage_.assign(reference.size(), 0);
  find_words();
  find_phrases();
}

// Matches of single words depend on the word alone, so they are looked up once for all of its places in the
// reference.
void MeteorMatches::find_words() {
  ++stamp_;
  kinds_.clear();
  words_.clear();
  words_of_kind_.clear();
  times_of_kind_.clear();
  const bool synonyms = has_stage(stages_here_, MeteorStage::Synonym);
  if (synonyms) index_synsets();

  for (std::size_t place = 0; place < reference_.size(); ++place) {
    const MeteorWord& word = *reference_[place];
    if (word.number >= stamp_of_number_.size()) {
      stamp_of_number_.resize(2 * std::size_t{word.number} + 64, 0);
      kind_of_number_.resize(stamp_of_number_.size());
    }
    if (stamp_of_number_[word.number] != stamp_) {
      stamp_of_number_[word.number] = stamp_;
      kind_of_number_[word.number] = static_cast<std::uint32_t>(words_of_kind_.size());
      const auto begin = static_cast<std::uint32_t>(words_.size());
      const auto add_all = [&](MeteorStage stage, auto&& matches) {
        if (!has_stage(stages_here_, stage)) return;
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
          if (matches(*hypothesis_[i])) words_.push_back({i, stage});
        }
      };
      add_all(MeteorStage::Exact, [&](const MeteorWord& other) { return other.hash == word.hash; });
      add_all(MeteorStage::Stem,
              [&](const MeteorWord& other) { return other.stem == word.stem && other.hash != word.hash; });
      if (synonyms && !word.synsets.empty()) mark_synonyms(word);
      words_of_kind_.push_back({begin, static_cast<std::uint32_t>(words_.size())});
      times_of_kind_.push_back(0);
    }
    const std::uint32_t kind = kind_of_number_[word.number];
    kinds_.push_back(kind);
    ++times_of_kind_[kind];
    reference_coverage_[place] += words_of_kind_[kind].size();
  }
  for (std::size_t kind = 0; kind < times_of_kind_.size(); ++kind) {
    const Range range = words_of_kind_[kind];
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      hypothesis_coverage_[words_[i].hypothesis_start] += times_of_kind_[kind];
    }
  }
}

void MeteorMatches::index_synsets() {
  std::size_t entries = 0;
  for (const MeteorWord* word : hypothesis_) entries += word->synsets.size();
  synset_numbers_.start(entries);
  synset_heads_.assign(1, 0);
  synset_links_.assign(1, {});
  for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
    for (const std::int32_t set : hypothesis_[i]->synsets) {
      const std::uint32_t number = synset_numbers_.find_or_add(static_cast<std::uint32_t>(set), [this] {
        synset_heads_.push_back(0);
        return static_cast<std::uint32_t>(synset_heads_.size() - 1);
      });
      synset_links_.push_back({i, synset_heads_[number]});
      synset_heads_[number] = static_cast<std::uint32_t>(synset_links_.size() - 1);
    }
  }
}

void MeteorMatches::mark_synonyms(const MeteorWord& word) {
  marks_.assign(hypothesis_.size() / 64 + 1, 0);
  for (const std::int32_t set : word.synsets) {
    const std::uint32_t number = synset_numbers_.find(static_cast<std::uint32_t>(set));
    for (std::uint32_t link = synset_heads_[number]; link != 0; link = synset_links_[link].next) {
      const std::uint32_t place = synset_links_[link].place;
      marks_[place / 64] |= std::uint64_t{1} << (place % 64);
    }
  }
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    for (std::uint64_t bits = marks_[i]; bits != 0; bits &= bits - 1) {
      const auto place = static_cast<std::uint32_t>(64 * i + static_cast<unsigned>(std::countr_zero(bits)));
      if (hypothesis_[place]->hash != word.hash) words_.push_back({place, MeteorStage::Synonym});
    }
  }
}

// Counted first, so that they need be held but once.
void MeteorMatches::find_phrases() {
  if (phrases_.size() > kManyMatches) phrases_ = {};  // once in a lifetime: its memory is not kept
  phrases_.clear();
  phrases_at_.assign(reference_.size(), {});
  most_weight_ = 0;
  if (!has_stage(stages_here_, MeteorStage::Paraphrase)) return;
  visit_phrases([this](std::uint32_t place, const PhraseMatch& match) {
    ++phrases_at_[place].end;
    for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
      ++hypothesis_coverage_[match.hypothesis_start + i];
    }
    for (std::uint32_t i = 0; i < match.reference_length; ++i) ++reference_coverage_[place + i];
    most_weight_ = std::max(most_weight_, match.weight());
  });
  std::uint32_t sum = 0;
  for (Range& range : phrases_at_) {
    const std::uint32_t count = range.end;
    range = {sum, sum};
    sum += count;
  }
  if (sum == 0) return;
  phrases_.resize(sum);
  visit_phrases(
      [this](std::uint32_t place, const PhraseMatch& match) { phrases_[phrases_at_[place].end++] = match; });
}

template <class Found>
void MeteorMatches::visit_phrases(Found&& found) {
  visit_phrases_of(true, found);
  visit_phrases_of(false, found);
}

// Phrases of the one text whose paraphrases the other has.
template <class Found>
void MeteorMatches::visit_phrases_of(bool of_reference, Found&& found) {
  const MeteorWords phrases = of_reference ? reference_ : hypothesis_;
  const MeteorWords others = of_reference ? hypothesis_ : reference_;
  phrase_words_.clear();
  other_phrase_words_.clear();
  for (const MeteorWord* word : phrases) phrase_words_.push_back(word->phrase_word);
  for (const MeteorWord* word : others) other_phrase_words_.push_back(word->phrase_word);

  if (place_of_word_.empty()) {
    place_of_word_.assign(paraphrases_->vocabulary() + 1, 0);
    present_.assign(place_of_word_.size() / 64 + 1, 0);
  }
  next_place_.assign(others.size(), 0);
  for (std::size_t i = others.size(); i-- > 0;) {
    const std::uint32_t word = other_phrase_words_[i];
    if (word == ParaphraseTable::kNoWord) continue;
    next_place_[i] = place_of_word_[word];
    place_of_word_[word] = static_cast<std::uint32_t>(i + 1);
    present_[word / 64] |= std::uint64_t{1} << (word % 64);
  }
  for (std::uint32_t start = 0; start < phrases.size(); ++start) {
    paraphrases_->paraphrases_of(
        phrase_words_.data() + start, phrase_words_.size() - start,
        [&](std::uint32_t length, const ParaphraseTable::Paraphrase& paraphrase) {
          const std::uint32_t first = paraphrase.first_word;
          if ((present_[first / 64] >> (first % 64) & 1) == 0) return;
          for (std::uint32_t at = place_of_word_[first]; at != 0; at = next_place_[at - 1]) {
            const std::uint32_t* const words = paraphrases_->words_of(paraphrase);
            const std::uint32_t place = at - 1;
            if (others.size() - place < paraphrase.length) break;
            if (!std::equal(words + 1, words + paraphrase.length, other_phrase_words_.data() + at)) continue;
            const auto own = static_cast<std::uint16_t>(length);
            const auto other = static_cast<std::uint16_t>(paraphrase.length);
            if (of_reference) {
              found(start, PhraseMatch{place, other, own});
            } else {
              found(place, PhraseMatch{start, own, other});
            }
          }
        });
  }
  for (const std::uint32_t word : other_phrase_words_) {
    place_of_word_[word] = 0;
    present_[word / 64] = 0;
  }
}

void MeteorMatches::lonely(std::vector<MeteorMatch>& found) const {
  found.clear();
  const auto alone = [](const std::vector<std::uint32_t>& coverage, std::uint32_t start,
                        std::uint32_t length) {
    const auto begin = coverage.begin() + start;
    return std::all_of(begin, begin + length, [](std::uint32_t count) { return count == 1; });
  };
  for (std::uint32_t place = 0; place < reference_.size(); ++place) {
    const auto words = words_at(place);
    const auto phrases = phrases_at(place);
    if (words.size() + phrases.size() != 1) continue;
    const MeteorMatch match = words.empty() ? placed(phrases.front(), place) : placed(words.front(), place);
    if (!alone(reference_coverage_, place, match.reference_length)) continue;
    if (!alone(hypothesis_coverage_, match.hypothesis_start, match.hypothesis_length)) continue;
    found.push_back(match);
  }
}

}  // namespace understudy
