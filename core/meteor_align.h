// METEOR's alignment of a hypothesis and a reference: which words and phrases match, and which matches are
// taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching.h"
#include "meteor_lexicon.h"

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

// METEOR 1.5's search, with all that decides its outcome:
// - Words are equal if their Java hash codes are (so siblings matches teheran).
// - A match that competes with no other is fixed beforehand.
// - The rest is searched from the reference's first word to its last, keeping the best `beam` paths: those
// with the
//   most matched words, then the fewest chunks, then the smallest distance, then the first found.
// - Stages other than the first weigh half in the search, rounded down for each side of a match: a match of
// single
//   words by stem adds nothing, and is passed over where it would start a chunk.
// - The distance of a match is added to the path that leaves it aside, not to the one that takes it.
class MeteorAligner {
 public:
  MeteorAligner(StageSet stages, const ParaphraseTable* paraphrases, std::size_t beam)
      : stages_(stages), paraphrases_(paraphrases), beam_(beam) {}

  // The matches taken, by their place in the reference; and the number of runs they make.
  void align(MeteorWords hypothesis, MeteorWords reference);
  const std::vector<MeteorMatch>& matches() const { return taken_; }
  std::int64_t chunks() const { return chunks_; }

 private:
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
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
  };
  struct Path {
    std::int64_t distance = 0;
    std::uint32_t matched = 0;  // words of both sides, as the search weighs them
    std::uint32_t chunks = 0;
    std::uint32_t next = 0;             // the place in the reference up to which it has come
    std::uint32_t last_end = kNoMatch;  // where in the hypothesis its last match ended, if just before
    std::uint32_t trail = kNoMatch;     // its last match in trails_
    std::uint32_t used = 0;             // which words of the hypothesis are taken: the row in used_
  };
  // What may become of a path at one place: it takes a match, or none.
  struct Step {
    std::uint32_t path;
    std::uint32_t match;  // in word_matches_, or behind those in phrase_matches_; or kNoMatch
    std::int64_t distance;
  };
  struct Trail {
    MeteorMatch match;
    std::uint32_t before;
  };
  // Lower is better. The parts of a rank are packed, most important first: words not matched, chunks;
  // distance, order of finding.
  struct Rank {
    std::uint64_t words_and_chunks;
    std::uint64_t distance_and_order;
    std::size_t order() const { return distance_and_order & kMostOrder; }
    bool operator<(const Rank& other) const {
      return words_and_chunks != other.words_and_chunks ? words_and_chunks < other.words_and_chunks
                                                        : distance_and_order < other.distance_and_order;
    }
  };
  static constexpr unsigned kOrderBits = 24;
  static constexpr std::uint64_t kMostOrder = (1 << kOrderBits) - 1;
  static constexpr std::int64_t kMostDistance = (std::int64_t{1} << (64 - kOrderBits)) - 1;
  static constexpr std::uint32_t kNoMatch = 0xFFFFFFFF;

  void find_word_matches();
  void mark_synonyms(const MeteorWord& word);
  void find_paraphrases();
  // Calls found(place in the reference, match) for every match, twice for those that the table has both ways.
  template <class Found>
  void visit_paraphrases(Found&& found);
  template <class Found>
  void visit_paraphrases_of(bool of_reference, Found&& found);
  void fix_lonely_matches();
  void search();
  void branch(std::uint32_t place);
  void branch_from(std::uint32_t number, std::uint32_t place);
  void keep_best_steps(std::uint32_t place);
  void sort_paths();
  static Rank rank(std::uint32_t matched, std::uint32_t chunks, std::int64_t distance, std::size_t order);
  static void follow(Path& path, const MeteorMatch& match);
  static void leave_out(Path& path);
  static MeteorMatch placed(const PhraseMatch& match, std::uint32_t place);
  MeteorMatch match_of(const Step& step, std::uint32_t place) const;
  bool is_used(const Path& path, const PhraseMatch& match) const;

  StageSet stages_;
  const ParaphraseTable* paraphrases_;
  std::size_t beam_;

  MeteorWords hypothesis_;
  MeteorWords reference_;
  StageSet stages_here_ = 0;

  std::vector<std::uint32_t>
      kind_of_number_;  // by a word's number: which different word of the reference it is
  std::vector<std::uint32_t> stamp_of_number_;
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> kinds_;  // by place in the reference
  std::vector<Range> word_matches_of_kind_;
  std::vector<std::uint32_t> times_of_kind_;
  std::vector<WordMatch> word_matches_;
  NumberTable synset_numbers_;
  std::vector<std::uint32_t> synset_heads_;
  struct Link {
    std::uint32_t place;
    std::uint32_t next;
  };
  std::vector<Link> synset_links_;
  std::vector<std::uint64_t> marks_;

  std::vector<PhraseMatch> phrase_matches_;
  std::vector<Range> phrase_matches_at_;  // by place in the reference
  std::uint32_t most_weight_ = 0;         // of any of them
  struct Alike {
    std::size_t breaking = 0;
    std::size_t going_on = 0;
  };
  std::vector<Alike> alike_phrases_;  // by weight: how many steps a path has taken at one place
  std::vector<std::uint32_t> phrase_words_;
  std::vector<std::uint32_t> other_phrase_words_;
  std::vector<std::uint64_t> present_;  // by the table's number of a word, one bit each: whether it occurs
  std::vector<std::uint32_t> place_of_word_;  // by the table's number of a word: its first place, plus 1
  std::vector<std::uint32_t> next_place_;

  std::vector<std::uint32_t> hypothesis_coverage_;
  std::vector<std::uint32_t> reference_coverage_;
  std::vector<std::uint8_t> fixed_;  // by place: 0 no, 1 a fixed match starts here, 2 goes on
  std::vector<MeteorMatch> fixed_matches_;

  std::size_t row_ = 0;  // words of a row in used_
  std::vector<std::uint64_t> used_;
  std::vector<std::uint64_t> next_used_;
  std::vector<Path> paths_;
  std::vector<Path> next_paths_;
  std::vector<Step> steps_;
  std::vector<Rank> ranks_;
  std::vector<Trail> trails_;
  std::vector<MeteorMatch> taken_;
  std::int64_t chunks_ = 0;
};

}  // namespace understudy
