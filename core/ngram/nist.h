// Information-weighted n-gram matches: the sufficient statistics of NIST (Doddington 2002).
//
// What an n-gram tells is log2 of how often its first n - 1 words occur in all references of a test set,
// divided by how often the whole n-gram does. So there are two steps: counting the references of the whole
// set, and then counting each hypothesis with what they told.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ngram/ngram.h"
#include "ngram/reference_ngrams.h"
#include "text/column.h"

namespace understudy {

// Sums of logarithms are kept exact as whole numbers, so that they do not depend on the order of adding:
// every logarithm is cut off at 2^-53, and its units of 2^-24 and the rest below them are summed apart. Both
// sums stay below 2^63 for more than 10^10 matches, and below 2^53 (exact as a double) for more than 10^7.
inline constexpr unsigned kInformationBits = 24;
inline constexpr unsigned kRestBits = 53;

// Numbers per segment: hypothesis length, mean reference length in kLengthUnits, and for the orders 1..N the
// information of the matches in whole units, the rest of it, and the totals.
inline std::size_t nist_columns(unsigned max_order) { return 2 + 3 * std::size_t{max_order}; }

// Where what the matches of each order tell is put as NLTK adds it up [segments, max_order], if it is asked
// for.
struct Told {
  double* values = nullptr;
  bool compensated = false;  // as sums are from Python 3.12 on
};

// Fills rows [segments, nist_columns], with 0 where there is one reference and a segment lacks it.
// `zero_is_no_word`: the information of "0 x" is taken as if nothing stood before x. Returns a segment with
// an n-gram that the counted references lack, if there is one: the first.
std::optional<std::size_t> nist_statistics(const Column& hypotheses, const std::vector<Column>& references,
                                           const ReferenceNgrams& ngrams, const NgramOptions& options,
                                           bool zero_is_no_word, std::int64_t* rows, const Told& told = {});

}  // namespace understudy
