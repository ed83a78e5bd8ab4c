// METEOR 1.5: the sufficient statistics of its scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "meteor/align.h"
#include "meteor/lexicon.h"
#include "meteor/normalizer.h"
#include "text/column.h"
#include "text/unicode.h"

namespace understudy {

// Where stems come from: rules for English, or a table of words and stems made beforehand (a word that it
// lacks is its own stem).
struct MeteorStems {
  bool english = false;
  TextMap<std::string> table;
};

struct MeteorOptions {
  // Without a normalizer words are what ASCII white space separates.
  std::optional<MeteorNormalizer::Options> normalizer;
  unicode::Case letter_case = unicode::Case::Lower;
  StageSet stages = 1;
  std::unordered_set<std::string, TextHash, std::equal_to<>> function_words;
  const MeteorStems* stems = nullptr;
  const SynonymTable* synonyms = nullptr;
  const ParaphraseTable* paraphrases = nullptr;
  bool copies_are_free = true;  // a segment that matches whole in one chunk has no chunk
  bool characters = false;      // lengths and matches by stage count characters (METEOR's task util)
  std::size_t beam = 40;
  unsigned threads = 1;
};

// Numbers per segment, METEOR's own 23 in its order: lengths of hypothesis and reference; their function
// words; for each stage the content words matched in hypothesis and reference, and the function words;
// chunks; words matched in hypothesis and reference. If copies are free, a segment that matches whole in one
// chunk has 0 chunks: METEOR leaves its chunk out both of the segment's fragmentation and of the corpus's
// sum.
inline constexpr std::size_t kMeteorColumns = 4 + 4 * kMeteorStages + 3;

// Fills rows [references, segments, kMeteorColumns]; those of an absent reference with 0.
void meteor_statistics(const Column& hypotheses, const std::vector<Column>& references,
                       const MeteorOptions& options, std::int64_t* rows);

struct MeteorAlignment {
  std::vector<std::string> hypothesis;
  std::vector<std::string> reference;
  std::vector<MeteorMatch> matches;
};
MeteorAlignment meteor_alignment(std::string_view hypothesis, std::string_view reference,
                                 const MeteorOptions& options);

// The stem of an English word by METEOR's rules.
std::string english_stem(std::string_view word);

// The words of a text.
std::vector<std::string> meteor_words(std::string_view text, const MeteorOptions& options);

// The different words of some texts.
std::vector<std::string> meteor_vocabulary(const std::vector<Column>& columns, const MeteorOptions& options);

}  // namespace understudy
