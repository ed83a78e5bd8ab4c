// METEOR's alignment of a hypothesis and a reference: which of their matches are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meteor/matches.h"

namespace understudy {

// METEOR 1.5's search, with all that decides its outcome:
// - A match that competes with no other is fixed beforehand.
// - The rest is searched from the reference's first word to its last, keeping the best `beam` paths:
//   those with the most matched words, then the fewest chunks, then the smallest distance, then the first
//   found.
// - Stages other than the first weigh half in the search, rounded down for each side of a match: a match of
//   single words by stem adds nothing, and is passed over where it would start a chunk.
// - The distance of a match is added to the path that leaves it aside, not to the one that takes it.
class MeteorAligner {
 public:
  MeteorAligner(StageSet stages, const ParaphraseTable* paraphrases, std::size_t beam)
      : found_(stages, paraphrases), beam_(beam) {}

  // The matches taken, by their place in the reference; and the number of runs they make.
  void align(MeteorWords hypothesis, MeteorWords reference);
  const std::vector<MeteorMatch>& matches() const { return taken_; }
  std::int64_t chunks() const { return chunks_; }

 private:
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
    std::uint32_t match;  // among those of words at the place, or behind them those of phrases; or kNoMatch
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

  void fix(const MeteorMatch& match);
  void search(std::uint32_t reference_length);
  void branch(std::uint32_t place);
  void check_room_for_steps(std::uint32_t place) const;
  void branch_from(std::uint32_t number, std::uint32_t place);
  void keep_best_steps(std::uint32_t place);
  void sort_paths();
  static Rank rank(std::uint32_t matched, std::uint32_t chunks, std::int64_t distance, std::size_t order);
  static void follow(Path& path, const MeteorMatch& match);
  static void leave_out(Path& path);
  MeteorMatch match_of(const Step& step, std::uint32_t place) const;
  bool is_used(const Path& path, const MeteorMatches::PhraseMatch& match) const;

  MeteorMatches found_;
  std::size_t beam_;

  std::vector<std::uint8_t> fixed_;  // by place: 0 no, 1 a fixed match starts here, 2 goes on
  std::vector<MeteorMatch> fixed_matches_;

  struct Alike {
    std::size_t breaking = 0;
    std::size_t going_on = 0;
  };
  std::vector<Alike> alike_phrases_;  // by weight: how many steps a path has taken at one place
  std::size_t row_ = 0;               // words of a row in used_
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
