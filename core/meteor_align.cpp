#include "meteor_align.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace understudy {

namespace {

constexpr std::size_t kManyMatches = 1 << 20;

// The words of the hypothesis that a match takes, one bit each.
void mark(std::uint64_t* row, const MeteorMatch& match) {
  for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
    const std::uint32_t place = match.hypothesis_start + i;
    row[place / 64] |= std::uint64_t{1} << (place % 64);
  }
}

}  // namespace

void MeteorAligner::align(MeteorWords hypothesis, MeteorWords reference) {
  hypothesis_ = hypothesis;
  reference_ = reference;
  const auto same = [](const MeteorWord* a, const MeteorWord* b) { return a->hash == b->hash; };
  const bool equal =
      std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end(), same);
  // Of equal texts only the first stage sees anything.
  stages_here_ = equal ? static_cast<StageSet>(stages_ & (0U - stages_)) : stages_;

  hypothesis_coverage_.assign(hypothesis.size(), 0);
  reference_coverage_.assign(reference.size(), 0);
  find_word_matches();
  find_paraphrases();
  fix_lonely_matches();
  search();
  if (phrase_matches_.size() > kManyMatches)
    phrase_matches_ = {};  // once in a lifetime: its memory is not kept
}

// ---------------------------------------------------------------------------------------------------
// All matches there are. Those of single words depend on the word alone, so they are looked up once for all
// of its places in the reference.

void MeteorAligner::find_word_matches() {
  ++stamp_;
  kinds_.clear();
  word_matches_.clear();
  word_matches_of_kind_.clear();
  times_of_kind_.clear();
  const bool synonyms = has_stage(stages_here_, MeteorStage::Synonym);
  if (synonyms) {
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

  for (std::size_t place = 0; place < reference_.size(); ++place) {
    const MeteorWord& word = *reference_[place];
    if (word.number >= stamp_of_number_.size()) {
      stamp_of_number_.resize(2 * std::size_t{word.number} + 64, 0);
      kind_of_number_.resize(stamp_of_number_.size());
    }
    if (stamp_of_number_[word.number] != stamp_) {
      stamp_of_number_[word.number] = stamp_;
      kind_of_number_[word.number] = static_cast<std::uint32_t>(word_matches_of_kind_.size());
      const auto begin = static_cast<std::uint32_t>(word_matches_.size());
      const auto add_all = [&](MeteorStage stage, auto&& matches) {
        if (!has_stage(stages_here_, stage)) return;
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
          if (matches(*hypothesis_[i])) word_matches_.push_back({i, stage});
        }
      };
      add_all(MeteorStage::Exact, [&](const MeteorWord& other) { return other.hash == word.hash; });
      add_all(MeteorStage::Stem,
              [&](const MeteorWord& other) { return other.stem == word.stem && other.hash != word.hash; });
      if (synonyms && !word.synsets.empty()) mark_synonyms(word);
      word_matches_of_kind_.push_back({begin, static_cast<std::uint32_t>(word_matches_.size())});
      times_of_kind_.push_back(0);
    }
    const std::uint32_t kind = kind_of_number_[word.number];
    kinds_.push_back(kind);
    ++times_of_kind_[kind];
    reference_coverage_[place] += word_matches_of_kind_[kind].size();
  }
  for (std::size_t kind = 0; kind < times_of_kind_.size(); ++kind) {
    const Range range = word_matches_of_kind_[kind];
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      hypothesis_coverage_[word_matches_[i].hypothesis_start] += times_of_kind_[kind];
    }
  }
}

void MeteorAligner::mark_synonyms(const MeteorWord& word) {
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
      if (hypothesis_[place]->hash != word.hash) word_matches_.push_back({place, MeteorStage::Synonym});
    }
  }
}

// Counted first, so that they need be held but once.
void MeteorAligner::find_paraphrases() {
  phrase_matches_.clear();
  phrase_matches_at_.assign(reference_.size(), {});
  most_weight_ = 0;
  if (!has_stage(stages_here_, MeteorStage::Paraphrase)) return;
  visit_paraphrases([this](std::uint32_t place, const PhraseMatch& match) {
    ++phrase_matches_at_[place].end;
    for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
      ++hypothesis_coverage_[match.hypothesis_start + i];
    }
    for (std::uint32_t i = 0; i < match.reference_length; ++i) ++reference_coverage_[place + i];
    most_weight_ = std::max(most_weight_, match.weight());
  });
  std::uint32_t sum = 0;
  for (Range& range : phrase_matches_at_) {
    const std::uint32_t count = range.end;
    range = {sum, sum};
    sum += count;
  }
  if (sum == 0) return;
  phrase_matches_.resize(sum);
  visit_paraphrases([this](std::uint32_t place, const PhraseMatch& match) {
    phrase_matches_[phrase_matches_at_[place].end++] = match;
  });
}

template <class Found>
void MeteorAligner::visit_paraphrases(Found&& found) {
  visit_paraphrases_of(true, found);
  visit_paraphrases_of(false, found);
}

// Phrases of the one text whose paraphrases the other has.
template <class Found>
void MeteorAligner::visit_paraphrases_of(bool of_reference, Found&& found) {
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

MeteorMatch MeteorAligner::placed(const PhraseMatch& match, std::uint32_t place) {
  return {place, match.reference_length, match.hypothesis_start, match.hypothesis_length,
          MeteorStage::Paraphrase};
}

void MeteorAligner::fix_lonely_matches() {
  fixed_.assign(reference_.size(), 0);
  fixed_matches_.clear();
  for (std::uint32_t place = 0; place < reference_.size(); ++place) {
    const Range words = word_matches_of_kind_[kinds_[place]];
    const Range phrases = phrase_matches_at_[place];
    if (words.size() + phrases.size() != 1) continue;
    MeteorMatch match{};
    if (words.size() == 1) {
      const WordMatch& only = word_matches_[words.begin];
      match = {place, 1, only.hypothesis_start, 1, only.stage};
    } else {
      match = placed(phrase_matches_[phrases.begin], place);
    }
    const auto alone = [](const std::vector<std::uint32_t>& coverage, std::uint32_t start,
                          std::uint32_t length) {
      const auto begin = coverage.begin() + start;
      return std::all_of(begin, begin + length, [](std::uint32_t count) { return count == 1; });
    };
    if (!alone(reference_coverage_, place, match.reference_length)) continue;
    if (!alone(hypothesis_coverage_, match.hypothesis_start, match.hypothesis_length)) continue;
    fixed_matches_.push_back(match);
    fixed_[place] = 1;
    std::fill_n(fixed_.begin() + place + 1, match.reference_length - 1, std::uint8_t{2});
  }
}

// ---------------------------------------------------------------------------------------------------
// The search.

void MeteorAligner::search() {
  row_ = hypothesis_.size() / 64 + 1;
  used_.assign(row_, 0);
  for (const MeteorMatch& match : fixed_matches_) mark(used_.data(), match);
  trails_.clear();
  paths_.assign(1, Path{});
  auto next_fixed = fixed_matches_.begin();
  for (std::uint32_t place = 0; place < reference_.size(); ++place) {
    if (fixed_[place] == 2) continue;
    if (fixed_[place] == 1) {
      for (Path& path : paths_) {
        follow(path, *next_fixed);
        path.distance += std::abs(std::int64_t{place} - std::int64_t{next_fixed->hypothesis_start});
      }
      ++next_fixed;
      sort_paths();
    } else if (word_matches_of_kind_[kinds_[place]].size() + phrase_matches_at_[place].size() == 0) {
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
  const Range words = word_matches_of_kind_[kinds_[place]];
  for (std::uint32_t i = words.begin; i < words.end; ++i) {
    const WordMatch& match = word_matches_[i];
    const std::uint32_t start = match.hypothesis_start;
    if ((used[start / 64] >> (start % 64) & 1) != 0) continue;
    const unsigned exact = match.stage == MeteorStage::Exact ? 1 : 0;
    if (alike[exact][start == path.last_end ? 1 : 0]++ < beam_) step(i, 2 * exact, start);
    distance += distance_to(start);
  }
  const Range phrases = phrase_matches_at_[place];
  if (phrases.size() > 0) alike_phrases_.assign(most_weight_ + std::size_t{1}, {});
  for (std::uint32_t i = phrases.begin; i < phrases.end; ++i) {
    const PhraseMatch& match = phrase_matches_[i];
    if (is_used(path, match)) continue;
    const std::uint32_t start = match.hypothesis_start;
    Alike& alike_phrases = alike_phrases_[match.weight()];
    std::size_t& taken = start == path.last_end ? alike_phrases.going_on : alike_phrases.breaking;
    if (taken++ < beam_) {
      step(static_cast<std::uint32_t>(word_matches_.size()) + i, match.weight(), start);
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
  if (step.match >= word_matches_.size()) {
    return placed(phrase_matches_[step.match - word_matches_.size()], place);
  }
  const WordMatch& match = word_matches_[step.match];
  return {place, 1, match.hypothesis_start, 1, match.stage};
}

bool MeteorAligner::is_used(const Path& path, const PhraseMatch& match) const {
  const std::uint64_t* const used = &used_[path.used * row_];
  for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
    const std::uint32_t place = match.hypothesis_start + i;
    if ((used[place / 64] >> (place % 64) & 1) != 0) return true;
  }
  return false;
}

}  // namespace understudy
