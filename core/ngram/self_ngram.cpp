// An n-gram of a text counts as often as in the other text that has most of it. No two texts have to be
// compared for that: of every n-gram the set knows the largest count in a text, and the largest but for that
// text.
#include "ngram/self_ngram.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/parallel.h"
#include "text/token.h"

namespace understudy {

namespace {

constexpr std::uint32_t kNowhereElse = std::numeric_limits<std::uint32_t>::max();

class Counter {
 public:
  Counter(const ReferenceNgrams& set, const NgramOptions& options) : set_(set), options_(options) {}

  // Whether the text is one of the set.
  bool count(std::string_view text, std::int64_t* row) {
    if (!read(text)) return false;
    const auto length = static_cast<std::uint32_t>(words_.size());
    std::int64_t* const matches = row + 2;
    std::int64_t* const totals = matches + options_.max_order;
    std::fill_n(matches, 2 * std::size_t{options_.max_order}, 0);
    for (unsigned n = 1; n <= options_.max_order && n <= length; ++n) {
      totals[n - 1] = length - n + 1;
      if (n > 1) lengthen(n);
      matches[n - 1] = match(n);
    }
    row[0] = length;
    row[1] = reference_length(length);
    return true;
  }

 private:
  bool read(std::string_view text) {
    words_.clear();
    nodes_.clear();
    TextFingerprint fingerprint;
    tokenize(options_.tokenizer, options_.letter_case, text, rewritten_,
             [&](const char* begin, const char* end, const char* limit) {
               const Token token = Token::of(begin, end, limit);
               fingerprint.add(token);
               words_.push_back(set_.word_number(token));
               nodes_.push_back(words_.back() - 1);
             });
    return set_.has_text(fingerprint);
  }

  // From the nodes of all n-grams to those of all (n+1)-grams, by where they start.
  void lengthen(unsigned n) {
    nodes_.resize(words_.size() - n + 1);
    for (std::size_t start = 0; start < nodes_.size(); ++start) {
      std::uint32_t& node = nodes_[start];
      if (node == kNowhereElse || set_.count(n - 1, node) == 1) {
        node = kNowhereElse;
        continue;
      }
      node = set_.child(n - 1, node, words_[start + n - 1]).value_or(kNowhereElse);
    }
  }

  std::int64_t match(unsigned n) {
    std::int64_t matches = 0;
    sorted_.assign(nodes_.begin(), nodes_.end());
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t i = 0; i < sorted_.size() && sorted_[i] != kNowhereElse;) {
      const std::uint32_t node = sorted_[i];
      const std::size_t first = i;
      while (i < sorted_.size() && sorted_[i] == node) ++i;
      const auto own = static_cast<std::uint32_t>(i - first);
      matches += std::min(own, set_.spread(n, node).elsewhere(own));
    }
    return matches;
  }

  // Of the other texts, of which there is at least one.
  std::int64_t reference_length(std::uint32_t own) const {
    const std::vector<std::uint32_t>& lengths = set_.lengths();
    const auto [first, last] = std::equal_range(lengths.begin(), lengths.end(), own);
    switch (options_.reference_length) {
      case ReferenceLength::Closest:
        if (last - first > 1) return own;
        if (first == lengths.begin()) return *last;
        if (last == lengths.end()) return *(first - 1);
        // Equal distance: the shorter one, as in BLEU.
        return own - *(first - 1) <= *last - own ? *(first - 1) : *last;
      case ReferenceLength::Shortest:
        return first == lengths.begin() ? lengths[1] : lengths[0];
      case ReferenceLength::Average:
        break;
    }
    return mean_length(static_cast<std::int64_t>(set_.words() - own), lengths.size() - 1);
  }

  const ReferenceNgrams& set_;
  const NgramOptions options_;
  Rewritten rewritten_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> nodes_;  // of the n-grams by where they start
  std::vector<std::uint32_t> sorted_;
};

}  // namespace

std::optional<std::size_t> self_ngram_statistics(const Column& hypotheses, const ReferenceNgrams& set,
                                                 const NgramOptions& options, std::int64_t* rows) {
  const std::size_t width = ngram_columns(options.max_order);
  FirstOf unknown(hypotheses.size());
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(set, options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        if (!counter.count(hypotheses[i], rows + i * width)) unknown.add(i);
      }
    };
  });
  return unknown.found();
}

}  // namespace understudy
