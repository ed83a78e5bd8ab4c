// N-grams that weigh what their last word weighs in its document: the sufficient statistics of the weighted
// n-gram model (Babych and Hartley 2004).
//
// All references of all its segments together are a document's text; where documents are not named, every
// segment is one. How salient a word is depends on how often it occurs there and in all documents of the test
// set, so there are two steps, as for NIST: counting the references of the whole set, and then the
// hypotheses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"
#include "text/word_numbers.h"

namespace understudy {

// Weights are rounded to whole numbers of 2^-30, so that sums do not depend on the order of adding.
inline constexpr unsigned kWeightBits = 30;

// How often words occur in a set of documents, and in how many of them; of documents with names also how
// often in each, for another part of the same document may come at any time.
class DocumentWords {
 public:
  DocumentWords(Tokenizer tokenizer, unicode::Case letter_case, bool named)
      : tokenizer_(tokenizer), letter_case_(letter_case), named_(named) {}

  // The name of the document of every segment, if documents are named; else each segment is one.
  void add(const std::vector<Column>& references, const Column* documents);

  struct Counts {
    std::uint64_t occurrences = 0;
    std::uint64_t documents = 0;
  };
  bool named() const { return named_; }
  // Words and documents are numbered from 1; 0 is none of them.
  std::uint32_t word(const Token& token) const { return vocabulary_.find(token); }
  std::uint32_t document(std::string_view name) const { return names_.find(whole(name)); }
  const Counts& counts(std::uint32_t word) const { return counts_[word - 1]; }
  std::uint64_t occurrences(std::uint32_t document, std::uint32_t word) const {
    const auto found = within_.find(key(document, word));
    return found == within_.end() ? 0 : found->second;
  }
  std::uint64_t length(std::uint32_t document) const { return texts_[document - 1].words; }
  std::uint64_t words() const { return words_; }
  std::uint64_t documents() const { return documents_; }
  // A number that depends on the documents, not on their order: the same for the same set.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // What is counted and how, and back.
  Tokenizer tokenizer() const { return tokenizer_; }
  unicode::Case letter_case() const { return letter_case_; }
  const WordNumbers& vocabulary() const { return vocabulary_; }
  const WordNumbers& names() const { return names_; }
  struct Text {
    std::uint64_t words = 0;
    std::uint64_t fingerprint = 0;
  };
  const Text& text(std::uint32_t document) const { return texts_[document - 1]; }
  const std::unordered_map<std::uint64_t, std::uint64_t>& within() const { return within_; }
  void restore_total(std::uint64_t words, std::uint64_t documents, std::uint64_t fingerprint);
  void restore_word(std::string_view word, Counts counts);
  void restore_document(std::string_view name, Text text);
  void restore_within(std::uint64_t key, std::uint64_t occurrences) { within_.emplace(key, occurrences); }

 private:
  static std::uint64_t key(std::uint32_t document, std::uint32_t word) {
    return std::uint64_t{document} << 32 | word;
  }
  static Token whole(std::string_view text) {
    return Token::of(text.data(), text.data() + text.size(), text.data() + text.size());
  }
  std::uint32_t document_or_new(std::string_view name);
  bool new_to_document(std::uint64_t document, std::uint32_t word);

  Tokenizer tokenizer_;
  unicode::Case letter_case_;
  bool named_;
  WordNumbers vocabulary_;
  std::vector<Counts> counts_;  // by word
  std::uint64_t words_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t fingerprint_ = 0;

  // Without names, when a document's text comes at once:
  std::vector<std::uint64_t> last_seen_in_;  // by word: which document, from 1
  // With names:
  WordNumbers names_;
  std::vector<Text> texts_;                                  // by document
  std::unordered_map<std::uint64_t, std::uint64_t> within_;  // by document and word
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

// Fills rows [references, segments, kWeightColumns]; those of an absent reference with 0. `names` are the
// documents of the segments, if documents have names. Returns a segment whose references the counted
// documents cannot have had, if there is one: the first.
std::optional<std::size_t> weighted_ngram_statistics(const Column& hypotheses,
                                                     const std::vector<Column>& references,
                                                     const Column* names, const DocumentWords& documents,
                                                     const WeightOptions& options, std::int64_t* rows);

}  // namespace understudy
