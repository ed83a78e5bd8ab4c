// All matches of words and phrases that METEOR sees between a hypothesis and a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meteor/lexicon.h"
#include "ngram/equal_ngrams.h"

namespace understudy {

// In the order in which they look for matches.
enum class MeteorStage : std::uint8_t { Exact, Stem, Synonym, Paraphrase };
inline constexpr std::size_t kMeteorStages = 4;
using StageSet = std::uint8_t;  // bit 1 << stage

inline bool has_stage(StageSet stages, MeteorStage stage) {
  return (stages >> static_cast<unsigned>(stage) & 1) != 0;
}

// What the alignment needs to know of a word.
struct MeteorWord {
  std::uint32_t number = 0;  // the same for the same word
  std::int32_t hash = 0;     // Java's hash code of the word, by which METEOR takes words for equal
  std::int32_t stem = 0;     // the hash code of its stem
  std::uint32_t phrase_word = ParaphraseTable::kNoWord;
  std::vector<std::int32_t> synsets;
  std::uint32_t length = 0;  // as Java counts it
  bool function = false;     // a function word, which may weigh less
};
using MeteorWords = std::span<const MeteorWord* const>;

struct MeteorMatch {
  std::uint32_t reference_start;
  std::uint32_t reference_length;
  std::uint32_t hypothesis_start;
  std::uint32_t hypothesis_length;
  MeteorStage stage;
};

// Words are equal if their Java hash codes are (so siblings matches teheran).
class MeteorMatches {
 public:
  MeteorMatches(StageSet stages, const ParaphraseTable* paraphrases)
      : stages_(stages), paraphrases_(paraphrases) {}

  // A match of single words, at any place of the reference with that word.
  struct WordMatch {
    std::uint32_t hypothesis_start;
    MeteorStage stage;
  };
  // Of a phrase, at the place of the reference that it is listed for. Texts that repeat themselves have many
  // of them.
  struct PhraseMatch {
    std::uint32_t hypothesis_start;
    std::uint16_t hypothesis_length;
    std::uint16_t reference_length;
    std::uint32_t weight() const { return hypothesis_length / 2U + reference_length / 2U; }
  };

  void find(MeteorWords hypothesis, MeteorWords reference);

  // Those that start at a place of the reference.
  std::span<const WordMatch> words_at(std::uint32_t place) const {
    const Range range = words_of_kind_[kinds_[place]];
    return {words_.data() + range.begin, range.size()};
  }
  std::span<const PhraseMatch> phrases_at(std::uint32_t place) const {
    const Range range = phrases_at_[place];
    return {phrases_.data() + range.begin, range.size()};
  }
  std::uint32_t most_weight() const { return most_weight_; }  // of any phrase

  // Matches that compete with no other, in the order of the reference.
  void lonely(std::vector<MeteorMatch>& found) const;

  static MeteorMatch placed(const WordMatch& match, std::uint32_t place) {
    return {place, 1, match.hypothesis_start, 1, match.stage};
  }
  static MeteorMatch placed(const PhraseMatch& match, std::uint32_t place) {
    return {place, match.reference_length, match.hypothesis_start, match.hypothesis_length,
            MeteorStage::Paraphrase};
  }

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
  };
  struct Link {
    std::uint32_t place;
    std::uint32_t next;
  };

  void find_words();
  void index_synsets();
  void mark_synonyms(const MeteorWord& word);
  void find_phrases();
  // Calls found(place in the reference, match) for every match, twice for those that the table has both ways.
  template <class Found>
  void visit_phrases(Found&& found);
  template <class Found>
  void visit_phrases_of(bool of_reference, Found&& found);

  StageSet stages_;
  const ParaphraseTable* paraphrases_;

  MeteorWords hypothesis_;
  MeteorWords reference_;
  StageSet stages_here_ = 0;

  // By a word's number: which different word of the reference it is, if its stamp is that of this search.
  std::vector<std::uint32_t> kind_of_number_;
  std::vector<std::uint64_t> stamp_of_number_;
  std::uint64_t stamp_ = 0;
  std::vector<std::uint32_t> kinds_;  // by place in the reference
  std::vector<Range> words_of_kind_;
  std::vector<std::uint32_t> times_of_kind_;
  std::vector<WordMatch> words_;

  // Which places of the hypothesis are in a set of synonyms: lists, linked by their next place.
  NumberTable synset_numbers_;
  std::vector<std::uint32_t> synset_heads_;
  std::vector<Link> synset_links_;
  std::vector<std::uint64_t> marks_;

  std::vector<PhraseMatch> phrases_;
  std::vector<Range> phrases_at_;  // by place in the reference
  std::uint32_t most_weight_ = 0;
  std::vector<std::uint32_t> phrase_words_;
  std::vector<std::uint32_t> other_phrase_words_;
  std::vector<std::uint64_t> present_;  // by the table's number of a word, one bit each: whether it occurs
  std::vector<std::uint32_t> place_of_word_;  // by the table's number of a word: its first place, plus 1
  std::vector<std::uint32_t> next_place_;

  // By place: in how many matches it is.
  std::vector<std::uint32_t> hypothesis_coverage_;
  std::vector<std::uint32_t> reference_coverage_;
};

}  // namespace understudy
