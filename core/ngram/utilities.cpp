#include "ngram/utilities.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/chrf_text.h"
#include "ngram/group_matches.h"
#include "ngram/pair_matches.h"
#include "ngram/shared_ngrams.h"
#include "support/exact_sum.h"
#include "support/parallel.h"
#include "text/tokenize.h"

namespace understudy {

namespace {

// Sets with more pairs are worked on by all threads together, one set after the other.
constexpr std::size_t kManyPairs = 1 << 14;

// ---------------------------------------------------------------------------------------------------
// The texts of a set as a metric reads them: totals [texts, orders], the numbers of n-grams, and the n-grams
// that texts share. read calls at_order(n, ngrams) for every order, with nullptr where none are shared.

using Texts = std::vector<std::string_view>;

std::size_t bytes_of(const Texts& texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  return bytes;
}

class Totals {
 public:
  void start(std::size_t texts, std::size_t orders) {
    orders_ = orders;
    totals_.resize(texts * orders);
  }
  // From order `first` on, so many orders of n-grams of so many symbols.
  void set(std::size_t text, std::size_t first, std::size_t orders, std::size_t symbols) {
    for (std::size_t n = 0; n < orders; ++n) {
      totals_[text * orders_ + first + n] = static_cast<double>(symbols > n ? symbols - n : 0);
    }
  }
  const double* operator[](std::size_t text) const { return totals_.data() + text * orders_; }

 private:
  std::size_t orders_ = 0;
  std::vector<double> totals_;
};

template <class AtOrder>
void follow(SharedNgrams& ngrams, std::size_t first, std::size_t orders, AtOrder&& at_order) {
  bool any = true;
  for (std::size_t n = 0; n < orders; ++n) {
    if (n > 0) any = any && ngrams.lengthen();
    at_order(first + n, any ? &ngrams : nullptr);
  }
}

class BleuTexts {
 public:
  explicit BleuTexts(const NgramOptions& options) : options_(options) {}

  std::size_t orders() const { return options_.max_order; }
  const Totals& totals() const { return totals_; }

  template <class AtOrder>
  void read(const Texts& texts, const Roles& roles, AtOrder&& at_order) {
    if (rewritten_.size() < texts.size()) rewritten_.resize(texts.size());  // tokens point into it
    totals_.start(texts.size(), orders());
    tokens_.clear();
    ends_.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t begin = tokens_.size();
      tokenize(options_.tokenizer, options_.letter_case, texts[i], rewritten_[i],
               [this](const char* from, const char* to, const char* limit) {
                 tokens_.push_back(Token::of(from, to, limit));
               });
      totals_.set(i, 0, orders(), tokens_.size() - begin);
      ends_.push_back(tokens_.size());
    }
    vocabulary_.start(tokens_.size());
    ngrams_.start(roles, tokens_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      ngrams_.add_text(std::span(tokens_).subspan(begin, end - begin),
                       [this](const Token& token, auto&& new_number) {
                         return vocabulary_.find_or_add(token, new_number);
                       });
      begin = end;
    }
    ngrams_.end_order();
    follow(ngrams_, 0, orders(), at_order);
  }

 private:
  const NgramOptions options_;
  std::vector<Rewritten> rewritten_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> ends_;
  Totals totals_;
  Vocabulary vocabulary_;
  SharedNgrams ngrams_;
};

class ChrfTexts {
 public:
  explicit ChrfTexts(const ChrfOptions& options) : options_(options) {}

  std::size_t orders() const { return std::size_t{options_.char_order} + options_.word_order; }
  const Totals& totals() const { return totals_; }

  template <class AtOrder>
  void read(const Texts& texts, const Roles& roles, AtOrder&& at_order) {
    if (lowered_.size() < texts.size()) lowered_.resize(texts.size());
    cased_.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      cased_[i] = unicode::in_case(texts[i], options_.letter_case, lowered_[i]);
    }
    totals_.start(texts.size(), orders());
    if (options_.char_order > 0) {
      read_characters(roles);
      follow(ngrams_, 0, options_.char_order, at_order);
    }
    if (options_.word_order > 0) {
      read_words(roles);
      follow(ngrams_, options_.char_order, options_.word_order, at_order);
    }
  }

 private:
  void read_characters(const Roles& roles) {
    const std::size_t bytes = bytes_of(cased_);
    ngrams_.start(roles, bytes);
    numbers_.start(bytes);
    ascii_.fill(0);
    for (std::size_t i = 0; i < cased_.size(); ++i) {
      append_characters(cased_[i], options_.whitespace, characters_);
      ngrams_.add_text(characters_, [this](char32_t c, auto&& new_number) {
        if (c >= ascii_.size()) return numbers_.find_or_add(c, new_number);
        std::uint32_t& number = ascii_[c];
        if (number == 0) number = new_number();
        return number;
      });
      totals_.set(i, 0, options_.char_order, characters_.size());
    }
    ngrams_.end_order();
  }

  void read_words(const Roles& roles) {
    all_words_.clear();
    ends_.clear();
    for (std::size_t i = 0; i < cased_.size(); ++i) {
      append_words(cased_[i], words_);
      all_words_.insert(all_words_.end(), words_.begin(), words_.end());
      ends_.push_back(all_words_.size());
      totals_.set(i, options_.char_order, options_.word_order, words_.size());
    }
    vocabulary_.start(all_words_.size());
    ngrams_.start(roles, all_words_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      ngrams_.add_text(std::span(all_words_).subspan(begin, end - begin),
                       [this](const Token& token, auto&& new_number) {
                         return vocabulary_.find_or_add(token, new_number);
                       });
      begin = end;
    }
    ngrams_.end_order();
  }

  const ChrfOptions options_;
  std::vector<std::string> lowered_;
  Texts cased_;
  Totals totals_;
  Refilled<char32_t> characters_;
  std::array<std::uint32_t, 128> ascii_{};
  NumberTable numbers_;  // of other characters
  Refilled<Token> words_;
  std::vector<Token> all_words_;
  std::vector<std::size_t> ends_;
  Vocabulary vocabulary_;
  SharedNgrams ngrams_;
};

// ---------------------------------------------------------------------------------------------------
// The row of statistics of a pair, and its score. A group of references has totals as a text has.

class BleuRow {
 public:
  explicit BleuRow(const BleuUtility& metric)
      : metric_(metric), row_(metric.formula.columns()), room_(row_) {}

  void set_candidate(const double* totals) {
    const std::size_t orders = metric_.reading.max_order;
    row_[0] = totals[0];
    for (std::size_t n = 0; n < orders; ++n) {
      row_[2 + orders + n] = n < metric_.at_least_one ? std::max(totals[n], 1.0) : totals[n];
    }
  }

  // match_of(n) is the number of matches of order n + 1.
  template <class MatchOf>
  double score(const double* reference_totals, MatchOf&& match_of) {
    row_[1] = reference_totals[0] * metric_.length_units;
    for (std::size_t n = 0; n < metric_.reading.max_order; ++n) row_[2 + n] = match_of(n);
    return metric_.formula.score(row_.data(), room_.data());
  }

 private:
  const BleuUtility& metric_;
  std::vector<double> row_;
  std::vector<double> room_;
};

class ChrfRow {
 public:
  explicit ChrfRow(const ChrfUtility& metric) : metric_(metric), row_(metric.formula.columns()) {}

  void set_candidate(const double* totals) { candidate_ = totals; }

  template <class MatchOf>
  double score(const double* reference_totals, MatchOf&& match_of) {
    const std::size_t orders = metric_.formula.orders();
    double* const row = row_.data();
    for (std::size_t n = 0; n < orders; ++n) {
      // As in chrf.cpp: what the reference is too short for does not count against the candidate.
      row[n] = reference_totals[n] > 0 ? candidate_[n] : 0.0;
      row[orders + n] = reference_totals[n];
      row[2 * orders + n] = match_of(n);
    }
    return metric_.formula.score(row);
  }

 private:
  const ChrfUtility& metric_;
  const double* candidate_ = nullptr;
  std::vector<double> row_;
};

BleuTexts texts_of(const BleuUtility& metric) { return BleuTexts(metric.reading); }
ChrfTexts texts_of(const ChrfUtility& metric) { return ChrfTexts(metric.reading); }
BleuRow row_of(const BleuUtility& metric) { return BleuRow(metric); }
ChrfRow row_of(const ChrfUtility& metric) { return ChrfRow(metric); }

// ---------------------------------------------------------------------------------------------------

class SetReader {
 public:
  Roles read(const CandidateSets& sets, std::size_t i) {
    Roles roles{sets.candidates_of(i), sets.references_of(i), sets.themselves};
    texts_.clear();
    append(sets.candidates, sets.candidate_starts, i);
    if (!sets.themselves) append(sets.references, sets.reference_starts, i);
    return roles;
  }
  const Texts& texts() const { return texts_; }

 private:
  void append(const Column& column, std::span<const std::int64_t> starts, std::size_t i) {
    for (auto row = static_cast<std::size_t>(starts[i]); row < static_cast<std::size_t>(starts[i + 1]);
         ++row) {
      texts_.push_back(column[row]);
    }
  }
  Texts texts_;
};

// A set that has been read once, for the scores of any of its pairs.
template <class Metric>
class SetOfPairs {
 public:
  explicit SetOfPairs(const Metric& metric) : metric_(metric), texts_(texts_of(metric)) {}

  void read(const CandidateSets& sets, std::size_t i) {
    roles_ = reader_.read(sets, i);
    matches_.start(roles_);
    texts_.read(reader_.texts(), roles_, [this](std::size_t, const SharedNgrams* ngrams) {
      ngrams == nullptr ? matches_.add_nothing() : matches_.add_order(*ngrams);
    });
  }

  std::size_t candidates() const { return roles_.candidates; }

  // What a thread needs for itself.
  struct Room {
    explicit Room(const Metric& metric) : row(row_of(metric)) {}
    decltype(row_of(std::declval<const Metric&>())) row;
    std::vector<std::uint32_t> matches;
  };

  // Of the candidates from `begin` to `end`; scores are those of the whole set.
  void score(std::size_t begin, std::size_t end, Room& room, double* scores) const {
    const std::size_t references = roles_.references;
    room.matches.resize(texts_.orders() * references);
    const std::uint32_t* const matches = room.matches.data();
    for (std::size_t candidate = begin; candidate < end; ++candidate) {
      matches_.of_candidate(candidate, room.matches.data());
      const double* const totals = texts_.totals()[candidate];
      room.row.set_candidate(totals);
      for (std::size_t reference = 0; reference < references; ++reference) {
        scores[candidate * references + reference] = room.row.score(
            texts_.totals()[roles_.text_of_reference(reference)],
            [=](std::size_t n) { return static_cast<double>(matches[n * references + reference]); });
      }
      if (!roles_.themselves) continue;
      scores[candidate * references + candidate] =
          room.row.score(totals, [totals](std::size_t n) { return totals[n]; });  // all of its n-grams
    }
  }

 private:
  const Metric& metric_;
  SetReader reader_;
  decltype(texts_of(std::declval<const Metric&>())) texts_;
  Roles roles_;
  PairMatches matches_;
};

std::vector<std::size_t> starts_of(std::size_t count, auto&& size_of) {
  std::vector<std::size_t> starts(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) starts[i + 1] = starts[i] + size_of(i);
  return starts;
}

template <class Metric>
void score_pairs(const CandidateSets& sets, const Metric& metric, unsigned threads, double* scores) {
  const std::vector<std::size_t> starts = starts_of(
      sets.size(), [&sets](std::size_t i) { return sets.candidates_of(i) * sets.references_of(i); });
  const auto is_large = [&](std::size_t i) { return starts[i + 1] - starts[i] > kManyPairs; };
  SetOfPairs<Metric> large(metric);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!is_large(i)) continue;
    large.read(sets, i);
    constexpr std::size_t kBlock = 4;
    parallel_blocks(large.candidates(), threads, kBlock, [&] {
      return
          [&, room = typename SetOfPairs<Metric>::Room(metric)](std::size_t begin, std::size_t end) mutable {
            large.score(begin, end, room, scores + starts[i]);
          };
    });
  }
  constexpr std::size_t kBlock = 4;
  parallel_blocks(sets.size(), threads, kBlock, [&] {
    return [&, small = SetOfPairs<Metric>(metric), room = typename SetOfPairs<Metric>::Room(metric)](
               std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        if (is_large(i)) continue;
        small.read(sets, i);
        small.score(0, small.candidates(), room, scores + starts[i]);
      }
    };
  });
}

// ---------------------------------------------------------------------------------------------------

template <class Metric>
class SetOfGroups {
 public:
  explicit SetOfGroups(const Metric& metric)
      : metric_(metric), texts_(texts_of(metric)), row_(row_of(metric)) {}

  void score(const CandidateSets& sets, std::size_t i, const GroupsOfSets& groups, double* scores) {
    const Roles roles = reader_.read(sets, i);
    const auto first = static_cast<std::size_t>(sets.reference_starts[i]);
    groups_.start(groups.groups.subspan(first, roles.references), static_cast<std::size_t>(groups.counts[i]),
                  groups.weights.empty() ? groups.weights : groups.weights.subspan(first, roles.references));
    matches_.start(roles, groups_, texts_.orders());
    texts_.read(reader_.texts(), roles, [this](std::size_t n, const SharedNgrams* ngrams) {
      const auto size_of = [this, n](std::size_t text) {
        return static_cast<std::size_t>(texts_.totals()[text][n]);
      };
      ngrams == nullptr ? matches_.add_nothing(size_of) : matches_.add_order(*ngrams, size_of);
    });
    matches_.finish();
    set_totals(roles);
    for (std::size_t candidate = 0; candidate < roles.candidates; ++candidate) {
      row_.set_candidate(texts_.totals()[candidate]);
      for (std::size_t group = 0; group < groups_.size(); ++group) {
        const double* const matches = matches_.of(candidate, group);
        *scores++ = row_.score(totals_.data() + group * texts_.orders(),
                               [matches](std::size_t n) { return matches[n]; });
      }
    }
  }

 private:
  // The mean numbers of n-grams of the references of each group.
  void set_totals(const Roles& roles) {
    const std::size_t orders = texts_.orders();
    totals_.assign(groups_.size() * orders, 0.0);
    for (std::size_t reference = 0; reference < roles.references; ++reference) {
      const double* const totals = texts_.totals()[roles.text_of_reference(reference)];
      double* const sums = totals_.data() + groups_.group(reference) * orders;
      for (std::size_t n = 0; n < orders; ++n) sums[n] += groups_.weight(reference) * totals[n];
    }
    for (std::size_t at = 0; at < totals_.size(); ++at) totals_[at] /= groups_.total(at / orders);
  }

  const Metric& metric_;
  SetReader reader_;
  decltype(texts_of(std::declval<const Metric&>())) texts_;
  decltype(row_of(std::declval<const Metric&>())) row_;
  ReferenceGroups groups_;
  GroupMatches matches_;
  std::vector<double> totals_;
};

template <class Metric>
void score_groups(const CandidateSets& sets, const GroupsOfSets& groups, const Metric& metric,
                  unsigned threads, double* scores) {
  const std::vector<std::size_t> starts = starts_of(sets.size(), [&](std::size_t i) {
    return sets.candidates_of(i) * static_cast<std::size_t>(groups.counts[i]);
  });
  constexpr std::size_t kBlock = 4;
  parallel_blocks(sets.size(), threads, kBlock, [&] {
    return [&, set = SetOfGroups<Metric>(metric)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) set.score(sets, i, groups, scores + starts[i]);
    };
  });
}

}  // namespace

void pair_utilities(const CandidateSets& sets, const BleuUtility& metric, unsigned threads, double* scores) {
  score_pairs(sets, metric, threads, scores);
}
void pair_utilities(const CandidateSets& sets, const ChrfUtility& metric, unsigned threads, double* scores) {
  score_pairs(sets, metric, threads, scores);
}
void group_utilities(const CandidateSets& sets, const GroupsOfSets& groups, const BleuUtility& metric,
                     unsigned threads, double* scores) {
  score_groups(sets, groups, metric, threads, scores);
}
void group_utilities(const CandidateSets& sets, const GroupsOfSets& groups, const ChrfUtility& metric,
                     unsigned threads, double* scores) {
  score_groups(sets, groups, metric, threads, scores);
}

void mean_utilities(std::span<const std::int64_t> candidate_starts,
                    std::span<const std::int64_t> reference_starts, const double* scores,
                    std::span<const double> weights, double* means) {
  ExactSum sum;
  for (std::size_t i = 0; i + 1 < candidate_starts.size(); ++i) {
    const auto begin = static_cast<std::size_t>(reference_starts[i]);
    const auto references = static_cast<std::size_t>(reference_starts[i + 1]) - begin;
    double total = static_cast<double>(references);
    if (!weights.empty()) {
      sum.start();
      for (std::size_t r = 0; r < references; ++r) sum.add(weights[begin + r]);
      total = sum.value();
    }
    for (std::int64_t candidate = candidate_starts[i]; candidate < candidate_starts[i + 1]; ++candidate) {
      sum.start();
      for (std::size_t r = 0; r < references; ++r) {
        sum.add(weights.empty() ? scores[r] : weights[begin + r] * scores[r]);
      }
      *means++ = sum.value() / total;
      scores += references;
    }
  }
}

}  // namespace understudy
