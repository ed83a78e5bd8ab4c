// Pairs of words in the order of the text, with other words between them or none: the sufficient statistics
// of ROUGE-S and ROUGE-SU (Lin 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

// Which words count beside the pairs.
enum class SingleWords : std::uint8_t { None, All, AllButLast };

struct SkipBigramOptions {
  Tokenizer tokenizer = Tokenizer::Rouge;
  unicode::Case letter_case = unicode::Case::Keep;
  std::size_t max_skip = 0;  // the most words between the two
  SingleWords single_words = SingleWords::None;
  unsigned threads = 1;
};

// Numbers per reference and segment: what both have, each pair at most as often as either has it, and what
// hypothesis and reference have.
inline constexpr std::size_t kSkipBigramColumns = 3;

// Fills rows [references, segments, kSkipBigramColumns]; those of an absent reference with 0. Throws TooLong.
void skip_bigram_statistics(const Column& hypotheses, const std::vector<Column>& references,
                            const SkipBigramOptions& options, std::int64_t* rows);

}  // namespace understudy
