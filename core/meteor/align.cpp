#include "meteor/align.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace understudy {

namespace {

// The words of the hypothesis that a match takes, one bit each.
void mark(std::uint64_t* row, const MeteorMatch& match) {
  for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
    const std::uint32_t place = match.hypothesis_start + i;
    row[place / 64] |= std::uint64_t{1} << (place % 64);
  }
}

}  // namespace

void MeteorAligner::align(MeteorWords hypothesis, MeteorWords reference) {
  found_.find(hypothesis, reference);
  found_.lonely(fixed_matches_);
  fixed_.assign(reference.size(), 0);
  row_ = hypothesis.size() / 64 + 1;
  used_.assign(row_, 0);
  for (const MeteorMatch& match : fixed_matches_) fix(match);
  search(static_cast<std::uint32_t>(reference.size()));
}

void MeteorAligner::fix(const MeteorMatch& match) {
  const auto start = fixed_.begin() + match.reference_start;
  *start = 1;
  std::fill_n(start + 1, match.reference_length - 1, std::uint8_t{2});
  mark(used_.data(), match);
}

void MeteorAligner::search(std::uint32_t reference_length) {
  trails_.clear();
  paths_.assign(1, Path{});
  auto next_fixed = fixed_matches_.begin();
  for (std::uint32_t place = 0; place < reference_length; ++place) {
    if (fixed_[place] == 2) continue;
    if (fixed_[place] == 1) {
      for (Path& path : paths_) {
        follow(path, *next_fixed);
        path.distance += std::abs(std::int64_t{place} - std::int64_t{next_fixed->hypothesis_start});
      }
      ++next_fixed;
      sort_paths();
    } else if (found_.words_at(place).empty() && found_.phrases_at(place).empty()) {
      for (Path& path : paths_) {
        if (path.next == place) leave_out(path);
      }
      sort_paths();
    } else {
      branch(place);
      keep_best_steps(place);
    }
  }
  for (Path& path : paths_) path.chunks += path.last_end != kNoMatch ? 1 : 0;
  sort_paths();

  const Path& best = paths_.front();
  chunks_ = best.chunks;
  taken_ = fixed_matches_;
  for (std::uint32_t at = best.trail; at != kNoMatch; at = trails_[at].before)
    taken_.push_back(trails_[at].match);
  std::sort(taken_.begin(), taken_.end(),
            [](const MeteorMatch& a, const MeteorMatch& b) { return a.reference_start < b.reference_start; });
}

void MeteorAligner::branch(std::uint32_t place) {
  check_room_for_steps(place);
  steps_.clear();
  ranks_.clear();
  for (std::uint32_t number = 0; number < paths_.size(); ++number) {
    const Path& path = paths_[number];
    if (path.next > place) {  // within a match
      ranks_.push_back(rank(path.matched, path.chunks, path.distance, steps_.size()));
      steps_.push_back({number, kNoMatch, path.distance});
    } else {
      branch_from(number, place);
    }
  }
}

// The number of every step must fit into a rank.
void MeteorAligner::check_room_for_steps(std::uint32_t place) const {
  // What branch_from keeps of one path: words that start a chunk, exact ones and others, and those that go on
  // with one, of which there are two at most; phrases of every weight, of both kinds; and none of them.
  const std::size_t words = found_.words_at(place).size();
  const std::size_t phrases = found_.phrases_at(place).size();
  const std::size_t kinds = 2 * (found_.most_weight() + std::size_t{1});
  const std::size_t most = std::min(words, 2 * std::min(beam_, words) + 2) +
                           std::min(phrases, kinds * std::min(beam_, phrases)) + 1;
  if (most > kMostOrder / paths_.size()) {
    throw std::length_error(
        "more than 16,777,215 ways to go on at one word of a reference: choose a smaller beam");
  }
}

void MeteorAligner::branch_from(std::uint32_t number, std::uint32_t place) {
  const Path& path = paths_[number];
  std::int64_t distance = path.distance;  // the path that takes none of the matches collects their distances
  const auto step = [&](std::uint32_t match, std::uint32_t weight, std::uint32_t start) {
    const bool breaks = path.last_end != kNoMatch && start != path.last_end;
    ranks_.push_back(rank(path.matched + weight, path.chunks + (breaks ? 1 : 0), distance, steps_.size()));
    steps_.push_back({number, match, distance});
  };
  const auto distance_to = [place](std::uint32_t start) {
    return std::abs(std::int64_t{place} - std::int64_t{start});
  };

  // Of one path's steps that weigh alike and start a chunk, or go on with one, the first `beam` are the best:
  // each has at least the distance of the one before. More of them cannot be among the best of all.
  std::size_t alike[2][2] = {};
  const std::uint64_t* const used = &used_[path.used * row_];
  const auto words = found_.words_at(place);
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const MeteorMatches::WordMatch& match = words[i];
    const std::uint32_t start = match.hypothesis_start;
    if ((used[start / 64] >> (start % 64) & 1) != 0) continue;
    const unsigned exact = match.stage == MeteorStage::Exact ? 1 : 0;
    if (alike[exact][start == path.last_end ? 1 : 0]++ < beam_) step(i, 2 * exact, start);
    distance += distance_to(start);
  }
  const auto phrases = found_.phrases_at(place);
  if (!phrases.empty()) alike_phrases_.assign(found_.most_weight() + std::size_t{1}, {});
  for (std::uint32_t i = 0; i < phrases.size(); ++i) {
    const MeteorMatches::PhraseMatch& match = phrases[i];
    if (is_used(path, match)) continue;
    const std::uint32_t start = match.hypothesis_start;
    Alike& alike_phrases = alike_phrases_[match.weight()];
    std::size_t& taken = start == path.last_end ? alike_phrases.going_on : alike_phrases.breaking;
    if (taken++ < beam_) {
      step(static_cast<std::uint32_t>(words.size()) + i, match.weight(), start);
    }
    distance += distance_to(start);
  }
  const std::uint32_t chunks = path.chunks + (path.last_end != kNoMatch ? 1 : 0);
  ranks_.push_back(rank(path.matched, chunks, distance, steps_.size()));
  steps_.push_back({number, kNoMatch, distance});
}

void MeteorAligner::keep_best_steps(std::uint32_t place) {
  if (ranks_.size() > beam_) {
    std::nth_element(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(beam_), ranks_.end());
    ranks_.resize(beam_);
  }
  std::sort(ranks_.begin(), ranks_.end());

  next_paths_.clear();
  next_used_.resize(ranks_.size() * row_);
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const Step& step = steps_[ranks_[i].order()];
    next_paths_.push_back(paths_[step.path]);
    Path& path = next_paths_.back();
    std::uint64_t* const row = &next_used_[i * row_];
    std::copy_n(&used_[path.used * row_], row_, row);
    path.used = static_cast<std::uint32_t>(i);
    if (step.match != kNoMatch) {
      const MeteorMatch match = match_of(step, place);
      follow(path, match);
      mark(row, match);
      trails_.push_back({match, path.trail});
      path.trail = static_cast<std::uint32_t>(trails_.size() - 1);
    } else if (path.next == place) {
      leave_out(path);
    }
    path.distance = step.distance;
  }
  paths_.swap(next_paths_);
  used_.swap(next_used_);
}

void MeteorAligner::sort_paths() {
  if (paths_.size() == 1) return;
  ranks_.clear();
  for (const Path& path : paths_) {
    ranks_.push_back(rank(path.matched, path.chunks, path.distance, ranks_.size()));
  }
  if (std::is_sorted(ranks_.begin(), ranks_.end())) return;
  std::sort(ranks_.begin(), ranks_.end());
  next_paths_.clear();
  for (const Rank& rank : ranks_) next_paths_.push_back(paths_[rank.order()]);
  paths_.swap(next_paths_);
}

MeteorAligner::Rank MeteorAligner::rank(std::uint32_t matched, std::uint32_t chunks, std::int64_t distance,
                                        std::size_t order) {
  const auto limited = static_cast<std::uint64_t>(std::min(distance, kMostDistance));
  return {std::uint64_t{~matched} << 32 | chunks, limited << kOrderBits | order};
}

void MeteorAligner::follow(Path& path, const MeteorMatch& match) {
  if (match.stage == MeteorStage::Exact) {
    path.matched += 2;
  } else {
    path.matched += match.hypothesis_length / 2 + match.reference_length / 2;
  }
  if (path.last_end != kNoMatch && match.hypothesis_start != path.last_end) ++path.chunks;
  path.next = match.reference_start + match.reference_length;
  path.last_end = match.hypothesis_start + match.hypothesis_length;
}

void MeteorAligner::leave_out(Path& path) {
  if (path.last_end != kNoMatch) ++path.chunks;
  path.last_end = kNoMatch;
  ++path.next;
}

MeteorMatch MeteorAligner::match_of(const Step& step, std::uint32_t place) const {
  const auto words = found_.words_at(place);
  if (step.match < words.size()) return MeteorMatches::placed(words[step.match], place);
  return MeteorMatches::placed(found_.phrases_at(place)[step.match - words.size()], place);
}

bool MeteorAligner::is_used(const Path& path, const MeteorMatches::PhraseMatch& match) const {
  const std::uint64_t* const used = &used_[path.used * row_];
  for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
    const std::uint32_t place = match.hypothesis_start + i;
    if ((used[place / 64] >> (place % 64) & 1) != 0) return true;
  }
  return false;
}

}  // namespace understudy
