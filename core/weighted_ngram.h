// N-grams that weigh what their last word weighs in its document: the sufficient statistics of the weighted
// n-gram model (Babych and Hartley 2004).
//
// A segment is a document; all its references together are that document's text. How salient a word is
// depends on how often it occurs there and in all documents of the test set, so there are two steps, as for
// NIST: counting the references of the whole set, and then the hypotheses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "column.h"
#include "tokenize.h"
#include "unicode.h"
#include "word_numbers.h"

namespace understudy {

// Weights are rounded to whole numbers of 2^-30, so that sums do not depend on the order of adding.
inline constexpr unsigned kWeightBits = 30;

// How often words occur in a set of documents, and in how many of them.
class DocumentWords {
 public:
  DocumentWords(Tokenizer tokenizer, unicode::Case letter_case)
      : tokenizer_(tokenizer), letter_case_(letter_case) {}

  void add(const std::vector<Column>& references);

  struct Counts {
    std::uint64_t occurrences = 0;
    std::uint64_t documents = 0;
  };
  const Counts* find(const Token& token) const {
    const std::uint32_t number = vocabulary_.find(token);
    return number == 0 ? nullptr : &counts_[number - 1];
  }
  std::uint64_t words() const { return words_; }
  std::uint64_t documents() const { return documents_; }
  // A number that depends on the documents, not on their order: the same for the same set.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // What is counted and how, and back.
  Tokenizer tokenizer() const { return tokenizer_; }
  unicode::Case letter_case() const { return letter_case_; }
  const WordNumbers& vocabulary() const { return vocabulary_; }
  const Counts& counts(std::uint32_t number) const { return counts_[number - 1]; }
  void restore(std::string_view word, Counts counts);
  void restore(std::uint64_t words, std::uint64_t documents, std::uint64_t fingerprint);

 private:
  Tokenizer tokenizer_;
  unicode::Case letter_case_;
  WordNumbers vocabulary_;
  std::vector<Counts> counts_;               // by number, from 1
  std::vector<std::uint64_t> last_seen_in_;  // by number, from 1: which document, from 1
  std::uint64_t words_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t fingerprint_ = 0;
};

enum class Salience : std::uint8_t {
  SScore,  // ln((share in the document - share in the others) * share of documents without it / share in all)
  TfIdf,   // (1 + ln(occurrences in the document)) * ln(documents / documents with it)
};

struct WeightOptions {
  Salience salience = Salience::SScore;
  double threshold = 1;  // what is no more salient than that,
  double below = 1;      // weighs that
  unsigned max_order = 4;
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Numbers per reference and segment: the weights of the n-grams that both texts have, of the hypothesis's,
// and of the reference's, in units of 2^-kWeightBits.
inline constexpr std::size_t kWeightColumns = 3;

// Fills rows [references, segments, kWeightColumns]; those of an absent reference with 0. Returns a segment
// whose references the counted documents cannot have had, if there is one: the first.
std::optional<std::size_t> weighted_ngram_statistics(const Column& hypotheses,
                                                     const std::vector<Column>& references,
                                                     const DocumentWords& documents,
                                                     const WeightOptions& options, std::int64_t* rows);

}  // namespace understudy
