// Whether hypotheses are identical to a reference.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/tokens.h"

namespace understudy {

struct ExactOptions {
  std::optional<Tokenizer> tokenizer;  // to compare tokens; without one, the text between its outer spaces
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Fills rows [segments] with 1 or 0. All columns are of one size.
void exact_matches(const Column& hypotheses, const std::vector<Column>& references,
                   const ExactOptions& options, std::int64_t* rows);

}  // namespace understudy
