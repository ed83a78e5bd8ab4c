#include "ngram/ribes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "ngram/suffixes.h"
#include "support/parallel.h"

namespace understudy {

namespace {

using Numbers = Refilled<std::uint32_t>;

// ---------------------------------------------------------------------------------------------------
// For every word of a text, the shortest stretch that starts there and occurs exactly once in this text and
// exactly once in another.
//
// Among the sorted suffixes of both texts, those that have most in common with a suffix stand next to it. A
// stretch occurs once in its own text if it is longer than what the suffix shares with any other of that
// text; and once in the other if it is no longer than the best match there, and longer than the second best.

struct Context {
  std::uint32_t length = 0;  // 0: there is none
  std::uint32_t place = 0;   // where it starts in the other text
};

class UniqueContexts {
 public:
  void find(std::span<const std::uint32_t> text, std::span<const std::uint32_t> other, std::size_t kinds,
            std::vector<Context>& contexts) {
    own_ = text.size();
    both_.assign(text.begin(), text.end());
    both_.push_back(static_cast<std::uint32_t>(kinds));  // between them what neither has
    both_.insert(both_.end(), other.begin(), other.end());
    suffixes_.start(both_, kinds + 1);
    found_.assign(own_, Found{});

    Nearest up;
    for (std::size_t p = 0; p < suffixes_.size(); ++p) {
      up.step(suffixes_.in_common(p));
      visit(suffixes_[p], up);
    }
    Nearest down;
    for (std::size_t p = suffixes_.size(); p-- > 0;) {
      visit(suffixes_[p], down);
      down.step(suffixes_.in_common(p));
    }

    contexts.resize(own_);
    for (std::size_t i = 0; i < own_; ++i) {
      const Found& found = found_[i];
      const std::uint32_t length = std::max({found.repeated, found.second, std::uint32_t{1}}) + 1;
      contexts[i] = length <= found.first ? Context{length, found.place} : Context{};
    }
  }

 private:
  // What the nearest suffixes on one side have in common with the one at hand.
  struct Nearest {
    static constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t own = 0;
    std::uint32_t first = 0;  // of the other text
    std::uint32_t second = 0;
    std::uint32_t place = 0;

    void step(std::uint32_t in_common) {
      own = std::min(own, in_common);
      first = std::min(first, in_common);
      second = std::min(second, in_common);
    }
  };

  struct Found {
    std::uint32_t repeated = 0;  // the longest stretch that occurs elsewhere in the text
    std::uint32_t first = 0;     // the longest that occurs in the other text, and where
    std::uint32_t place = 0;
    std::uint32_t second = 0;  // the longest that occurs there at another place
  };

  void visit(std::uint32_t start, Nearest& nearest) {
    if (start < own_) {
      Found& found = found_[start];
      found.repeated = std::max(found.repeated, nearest.own);
      if (nearest.first > found.first) {
        found.second = std::max(found.first, nearest.second);
        found.first = nearest.first;
        found.place = nearest.place;
      } else {
        found.second = std::max(found.second, nearest.first);
      }
      nearest.own = Nearest::kAll;
    } else if (start > own_) {
      nearest.second = nearest.first;
      nearest.first = Nearest::kAll;
      nearest.place = start - static_cast<std::uint32_t>(own_) - 1;
    }
  }

  std::size_t own_ = 0;
  std::vector<std::uint32_t> both_;
  SortedSuffixes suffixes_;
  std::vector<Found> found_;
};

// ---------------------------------------------------------------------------------------------------

// Counts pairs in ascending order, one number after the other (Fenwick's tree).
class AscendingPairs {
 public:
  void start(std::size_t kinds) { counts_.assign(kinds + 1, 0); }

  // How many numbers before it were smaller.
  std::int64_t add(std::uint32_t number) {
    std::int64_t smaller = 0;
    for (std::size_t i = number; i > 0; i &= i - 1) smaller += counts_[i];
    for (std::size_t i = std::size_t{number} + 1; i < counts_.size(); i += i & (~i + 1)) ++counts_[i];
    return smaller;
  }

 private:
  std::vector<std::uint32_t> counts_;
};

class Orderer {
 public:
  explicit Orderer(const RibesOptions& options)
      : options_(options), text_(options.tokenizer, options.letter_case) {}

  // Fills the row of every reference, `stride` numbers apart.
  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row, std::size_t stride) {
    text_.read(segment, hypotheses, references);
    std::size_t which = 0;
    for (const Column& column : references) {
      std::fill_n(row, kRibesColumns, 0);
      if (column.present(segment)) compare(text_.reference(which++), row);
      row += stride;
    }
  }

 private:
  struct Word {
    std::uint32_t in_hypothesis = 0;
    std::uint32_t in_reference = 0;
    std::uint32_t place = 0;  // in the reference, where it stands last

    bool is_one_to_one() const { return in_hypothesis == 1 && in_reference == 1; }
    bool is_ambiguous() const { return in_reference > 0 && !is_one_to_one(); }
  };

  void compare(const Refilled<Token>& reference, std::int64_t* row) {
    number_words(reference);
    const bool ambiguous = std::any_of(hypothesis_.begin(), hypothesis_.end(), [this](std::uint32_t number) {
      return words_[number].is_ambiguous();
    });
    if (ambiguous) find_contexts();
    pairs_.start(reference_.size());
    for (std::size_t i = 0; i < hypothesis_.size(); ++i) {
      const Word& word = words_[hypothesis_[i]];
      std::uint32_t place = word.place;
      if (word.in_reference == 0 || (!word.is_one_to_one() && !place_by_context(i, place))) continue;
      ++row[0];
      row[1] += pairs_.add(place);
    }
    row[2] = static_cast<std::int64_t>(hypothesis_.size());
    row[3] = static_cast<std::int64_t>(reference_.size());
  }

  void number_words(const Refilled<Token>& reference) {
    const std::size_t most = text_.hypothesis().size() + reference.size();
    vocabulary_.start(most);
    words_.start(most);
    const auto number_of = [this](const Token& token) {
      return vocabulary_.find_or_add(token, [this] {
        words_.append(Word{});
        return static_cast<std::uint32_t>(words_.size() - 1);
      });
    };
    hypothesis_.start(text_.hypothesis().size());
    for (const Token& token : text_.hypothesis()) {
      hypothesis_.append(number_of(token));
      ++words_[hypothesis_[hypothesis_.size() - 1]].in_hypothesis;
    }
    reference_.start(reference.size());
    for (const Token& token : reference) {
      const std::uint32_t number = number_of(token);
      words_[number].place = static_cast<std::uint32_t>(reference_.size());
      ++words_[number].in_reference;
      reference_.append(number);
    }
  }

  // To the right of every word; and to the left, which is to the right in the texts read backwards.
  void find_contexts() {
    const std::span<const std::uint32_t> hypothesis(hypothesis_.begin(), hypothesis_.end());
    const std::span<const std::uint32_t> reference(reference_.begin(), reference_.end());
    contexts_.find(hypothesis, reference, words_.size(), right_);
    backwards_.assign(hypothesis.rbegin(), hypothesis.rend());
    reference_backwards_.assign(reference.rbegin(), reference.rend());
    contexts_.find(backwards_, reference_backwards_, words_.size(), left_);
  }

  // Whether a context tells where in the reference the hypothesis's word i stands.
  bool place_by_context(std::size_t i, std::uint32_t& place) const {
    const std::size_t length = hypothesis_.size();
    const Context& right = right_[i];
    Context left = left_[length - 1 - i];
    const bool right_first = options_.search == ContextSearch::RightFirst;
    if (right_first && left.length > std::max(i, length - i + 1)) left = Context{};
    if (left.length == 0 && right.length == 0) return false;
    const bool is_right = right.length != 0 && (left.length == 0 || right.length < left.length ||
                                                (right.length == left.length && right_first));
    place = is_right ? right.place : static_cast<std::uint32_t>(reference_.size()) - 1 - left.place;
    return true;
  }

  const RibesOptions options_;
  SegmentTokens text_;
  Vocabulary vocabulary_;
  Refilled<Word> words_;  // by number
  Numbers hypothesis_;
  Numbers reference_;
  std::vector<std::uint32_t> backwards_;
  std::vector<std::uint32_t> reference_backwards_;
  UniqueContexts contexts_;
  std::vector<Context> right_;  // by the word they start with
  std::vector<Context> left_;   // by the word they end with, from the last
  AscendingPairs pairs_;
};

}  // namespace

void ribes_statistics(const Column& hypotheses, const std::vector<Column>& references,
                      const RibesOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 64;
  const std::size_t stride = hypotheses.size() * kRibesColumns;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, orderer = Orderer(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        orderer.count(i, hypotheses, references, rows + i * kRibesColumns, stride);
      }
    };
  });
}

}  // namespace understudy
