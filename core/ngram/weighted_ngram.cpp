#include "ngram/weighted_ngram.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ngram/clipped_matches.h"
#include "support/parallel.h"

namespace understudy {

// ---------------------------------------------------------------------------------------------------
// The words of all documents

void DocumentWords::add(const std::vector<Column>& references, const Column* documents) {
  Rewritten rewritten;
  const std::size_t segments = references.empty() ? 0 : references[0].size();
  for (std::size_t i = 0; i < segments; ++i) {
    const std::uint64_t document = named_ ? document_or_new((*documents)[i]) : ++documents_;
    const std::uint64_t words_before = words_;
    std::uint64_t of_segment = 0;
    for (const Column& column : references) {
      if (!column.present(i)) continue;
      TextFingerprint fingerprint;
      tokenize(tokenizer_, letter_case_, column[i], rewritten,
               [&](const char* begin, const char* end, const char* limit) {
                 const Token token = Token::of(begin, end, limit);
                 const std::uint32_t number = vocabulary_.find_or_add(token);
                 if (number > counts_.size()) {
                   counts_.emplace_back();
                   last_seen_in_.push_back(0);
                 }
                 ++counts_[number - 1].occurrences;
                 counts_[number - 1].documents += new_to_document(document, number) ? 1 : 0;
                 fingerprint.add(token);
                 ++words_;
               });
      of_segment += fingerprint.state;
    }
    if (!named_) {
      fingerprint_ += scramble(of_segment);
      continue;
    }
    // The document as it was goes, as it is now comes. The complement sets documents of one segment apart
    // from segments without a document, which count alike and are told apart in signatures.
    Text& text = texts_[document - 1];
    fingerprint_ -= scramble(~text.fingerprint);
    text.fingerprint += of_segment;
    text.words += words_ - words_before;
    fingerprint_ += scramble(~text.fingerprint);
  }
}

std::uint32_t DocumentWords::document_or_new(std::string_view name) {
  const std::uint32_t number = names_.find_or_add(whole(name));
  if (number > texts_.size()) {
    texts_.emplace_back();
    ++documents_;
    fingerprint_ += scramble(~texts_.back().fingerprint);
  }
  return number;
}

bool DocumentWords::new_to_document(std::uint64_t document, std::uint32_t word) {
  if (named_) return ++within_[key(static_cast<std::uint32_t>(document), word)] == 1;
  const bool is_new = last_seen_in_[word - 1] != document;
  last_seen_in_[word - 1] = document;
  return is_new;
}

void DocumentWords::restore_total(std::uint64_t words, std::uint64_t documents, std::uint64_t fingerprint) {
  words_ = words;
  documents_ = documents;
  fingerprint_ = fingerprint;
}

void DocumentWords::restore_word(std::string_view word, Counts counts) {
  vocabulary_.find_or_add(whole(word));
  counts_.push_back(counts);
  last_seen_in_.push_back(0);
}

void DocumentWords::restore_document(std::string_view name, Text text) {
  names_.find_or_add(whole(name));
  texts_.push_back(text);
}

// ---------------------------------------------------------------------------------------------------
// The words of a segment

namespace {

class Weigher {
 public:
  Weigher(const DocumentWords& documents, const WeightOptions& options)
      : documents_(documents),
        options_(options),
        below_(rounded(options.below)),
        text_(options.tokenizer, options.letter_case),
        matcher_(ngram_options(options)) {}

  // Fills the row of every reference, `stride` numbers apart. `alone` has every column of references by
  // itself. Whether the documents can have had these references.
  bool count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             const Column* names, const std::vector<std::vector<Column>>& alone, std::int64_t* row,
             std::size_t stride) {
    text_.read(segment, hypotheses, references);
    const bool known = names == nullptr ? weigh_words_of_segment() : weigh_words_of((*names)[segment]);
    hypothesis_.start(text_.hypothesis().size());
    for (const Token& token : text_.hypothesis()) hypothesis_.append(weight(token));
    std::size_t which = 0;
    for (const std::vector<Column>& column : alone) {
      std::fill_n(row, kWeightColumns, 0);
      if (column[0].present(segment)) {
        reference_.start(text_.reference(which).size());
        for (const Token& token : text_.reference(which)) reference_.append(weight(token));
        ++which;
        matcher_.follow(segment, hypotheses, column, [&](unsigned n, std::int64_t) {
          for (const Position& position : matcher_.shared()) {
            if (matcher_.take_match(position.number)) row[0] += hypothesis_[position.start + n - 1];
          }
        });
        row[1] = weight_of_ngrams(hypothesis_);
        row[2] = weight_of_ngrams(reference_);
      }
      row += stride;
    }
    return known;
  }

 private:
  static NgramOptions ngram_options(const WeightOptions& options) {
    NgramOptions made;
    made.tokenizer = options.tokenizer;
    made.letter_case = options.letter_case;
    made.max_order = options.max_order;
    return made;
  }

  static std::int64_t rounded(double weight) {
    return std::llround(weight * static_cast<double>(std::int64_t{1} << kWeightBits));
  }

  // The segment's references are one document. Whether all documents have its words as often.
  bool weigh_words_of_segment() {
    const std::size_t length = find_words_of_references(0);
    if (documents_.words() < length) return false;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      Word& word = words_[i];
      const std::uint32_t number = documents_.word(*word.token);
      if (number == 0 || documents_.counts(number).occurrences < word.occurrences) return false;
      word.weight = weight_in_document(word.occurrences, length, documents_.counts(number));
    }
    return true;
  }

  // The segment is part of a document, whose other parts may have words of the hypothesis. Whether the
  // document has the words of the references as often.
  bool weigh_words_of(std::string_view name) {
    const std::uint32_t document = documents_.document(name);
    find_words_of_references(text_.hypothesis().size());
    if (document == 0) return false;
    for (const Token& token : text_.hypothesis()) number_of(token);
    for (std::size_t i = 1; i < words_.size(); ++i) {
      Word& word = words_[i];
      const std::uint32_t number = documents_.word(*word.token);
      const std::uint64_t occurrences = number == 0 ? 0 : documents_.occurrences(document, number);
      if (occurrences < word.occurrences) return false;
      word.weight = occurrences == 0 ? below_
                                     : weight_in_document(occurrences, documents_.length(document),
                                                          documents_.counts(number));
    }
    return true;
  }

  // How many there are, with room for so many more.
  std::size_t find_words_of_references(std::size_t more) {
    std::size_t length = 0;
    for (std::size_t r = 0; r < text_.references(); ++r) length += text_.reference(r).size();
    vocabulary_.start(length + more);
    words_.start(length + more + 1);
    words_.append({});  // number 0: none
    for (std::size_t r = 0; r < text_.references(); ++r) {
      for (const Token& token : text_.reference(r)) ++words_[number_of(token)].occurrences;
    }
    return length;
  }

  std::uint32_t number_of(const Token& token) {
    return vocabulary_.find_or_add(token, [this, &token] {
      words_.append({&token, 0, 0});
      return static_cast<std::uint32_t>(words_.size() - 1);
    });
  }

  std::int64_t weight_in_document(std::uint64_t occurrences, std::uint64_t length,
                                  const DocumentWords::Counts& all) const {
    const double salience =
        options_.salience == Salience::TfIdf ? tf_idf(occurrences, all) : s_score(occurrences, length, all);
    return salience > options_.threshold ? rounded(salience) : below_;
  }

  double tf_idf(std::uint64_t occurrences, const DocumentWords::Counts& all) const {
    const double rarity = static_cast<double>(documents_.documents()) / static_cast<double>(all.documents);
    return (1 + std::log(static_cast<double>(occurrences))) * std::log(rarity);
  }

  // Minus infinity for a word that is no more frequent here than elsewhere, or that every document has.
  double s_score(std::uint64_t occurrences, std::uint64_t length, const DocumentWords::Counts& all) const {
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    const double here = share(occurrences, length);
    const double elsewhere = share(all.occurrences - occurrences, documents_.words() - length);
    const double without = share(documents_.documents() - all.documents, documents_.documents());
    return std::log(std::max((here - elsewhere) * without / share(all.occurrences, documents_.words()), 0.0));
  }

  std::int64_t weight(const Token& token) const {
    const std::uint32_t number = vocabulary_.find(token);
    return number == 0 ? below_ : words_[number].weight;
  }

  // Every word ends as many n-grams as there are orders, fewer at the beginning.
  std::int64_t weight_of_ngrams(const Refilled<std::int64_t>& weights) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i] * static_cast<std::int64_t>(std::min<std::size_t>(i + 1, options_.max_order));
    }
    return sum;
  }

  struct Word {
    const Token* token = nullptr;
    std::uint64_t occurrences = 0;  // in the segment's references
    std::int64_t weight = 0;
  };

  const DocumentWords& documents_;
  const WeightOptions options_;
  const std::int64_t below_;
  SegmentTokens text_;
  Matcher matcher_;
  Vocabulary vocabulary_;
  Refilled<Word> words_;  // by number
  Refilled<std::int64_t> hypothesis_;
  Refilled<std::int64_t> reference_;
};

}  // namespace

std::optional<std::size_t> weighted_ngram_statistics(const Column& hypotheses,
                                                     const std::vector<Column>& references,
                                                     const Column* names, const DocumentWords& documents,
                                                     const WeightOptions& options, std::int64_t* rows) {
  std::vector<std::vector<Column>> alone;
  for (const Column& column : references) alone.push_back({column});
  FirstOf unknown(hypotheses.size());
  const std::size_t stride = hypotheses.size() * kWeightColumns;
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, weigher = Weigher(documents, options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        std::int64_t* const row = rows + i * kWeightColumns;
        if (!weigher.count(i, hypotheses, references, names, alone, row, stride)) unknown.add(i);
      }
    };
  });
  return unknown.found();
}

}  // namespace understudy
