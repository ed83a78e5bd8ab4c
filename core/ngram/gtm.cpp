#include "ngram/gtm.h"

#include <algorithm>
#include <cmath>

#include "support/parallel.h"

namespace understudy {

namespace {

// A maximum matching that prefers long runs is hard to find, so GTM is greedy: the longest run whose words
// are all free is taken; of equally long ones that which is last in the hypothesis, then last in the
// references, which stand one after the other with a break between them.
//
// A run that is longer than the longest one left would have been taken before. So it goes in rounds: one
// pass over all pairs of equal free words finds the longest runs left, all of that length; they are taken, as
// far as they do not overlap. The lengths of different rounds are different and add up to no more than the
// text, so that there are few rounds even for long texts.
class Matching {
 public:
  // The lengths of the runs, in the order they are taken.
  const std::vector<std::uint32_t>& runs(const SegmentTokens& text) {
    number_words(text);
    lengths_.clear();
    while (find_longest()) take();
    return lengths_;
  }

 private:
  struct Place {  // where a run ends
    std::uint32_t hypothesis;
    std::uint32_t reference;
  };

  // Positions of the references count from 1, with one left out before each reference.
  void number_words(const SegmentTokens& text) {
    std::size_t places = 1;
    for (std::size_t r = 0; r < text.references(); ++r) places += text.reference(r).size() + 1;
    vocabulary_.start(places);
    last_.assign(1, 0);
    earlier_.assign(places, 0);
    free_in_references_.assign(places, 1);
    ends_.assign(places, End{});
    std::uint32_t place = 0;
    for (std::size_t r = 0; r < text.references(); ++r) {
      ++place;
      for (const Token& token : text.reference(r)) {
        const std::uint32_t number = vocabulary_.find_or_add(token, [this] {
          last_.push_back(0);
          return static_cast<std::uint32_t>(last_.size() - 1);
        });
        earlier_[place] = last_[number];
        last_[number] = place++;
      }
    }
    words_.clear();
    for (const Token& token : text.hypothesis()) words_.push_back(vocabulary_.find(token));
  }

  // Whether any run is left.
  bool find_longest() {
    longest_ = 0;
    found_.clear();
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      // From the last to the first, so that the run that ends one place before is still that of the word
      // before.
      for (std::uint32_t j = last_[words_[i]]; j != 0; j = earlier_[j]) {
        if (free_in_references_[j] == 0) continue;
        const End& before = ends_[j - 1];
        const std::uint32_t length = before.word == pass_ + i ? before.length + 1 : 1;
        ends_[j] = {pass_ + i + 1, length};
        if (length < longest_) continue;
        if (length > longest_) found_.clear();
        longest_ = length;
        found_.push_back({i, j});
      }
    }
    pass_ += words_.size() + 1;
    return longest_ > 0;
  }

  void take() {
    std::sort(found_.begin(), found_.end(), [](const Place& one, const Place& other) {
      return one.hypothesis != other.hypothesis ? one.hypothesis > other.hypothesis
                                                : one.reference > other.reference;
    });
    for (const Place& end : found_) {
      bool free = true;
      for (std::uint32_t k = 0; k < longest_ && free; ++k) {
        free = words_[end.hypothesis - k] != 0 && free_in_references_[end.reference - k] != 0;
      }
      if (!free) continue;
      for (std::uint32_t k = 0; k < longest_; ++k) {
        words_[end.hypothesis - k] = 0;
        free_in_references_[end.reference - k] = 0;
      }
      lengths_.push_back(longest_);
    }
  }

  struct End {
    std::uint64_t word = 0;  // the hypothesis's word that follows the run, in this pass
    std::uint32_t length = 0;
  };

  Vocabulary vocabulary_;
  std::vector<std::uint32_t> last_;     // by number: where the references have the word last
  std::vector<std::uint32_t> earlier_;  // by place: where they have the same word before, or 0
  std::vector<std::uint8_t> free_in_references_;
  std::vector<std::uint32_t> words_;  // of the hypothesis, by number; 0 where a word has no match or is taken
  std::vector<End> ends_;             // by place: the run that ends there
  std::uint64_t pass_ = 1;            // where the words of this pass count from; no pass has the same
  std::uint32_t longest_ = 0;
  std::vector<Place> found_;  // the longest runs
  std::vector<std::uint32_t> lengths_;
};

class Counter {
 public:
  explicit Counter(const GtmOptions& options)
      : exponent_(options.exponent), text_(options.tokenizer, options.letter_case) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row) {
    text_.read(segment, hypotheses, references);
    std::int64_t words = 0;
    for (std::size_t r = 0; r < text_.references(); ++r) {
      words += static_cast<std::int64_t>(text_.reference(r).size());
    }
    const auto length = static_cast<std::int64_t>(text_.hypothesis().size());
    const std::int64_t mean = mean_length(words, text_.references());
    cut_off(matching_.runs(text_), std::min(length * kLengthUnits, mean));
    const double units = size() * static_cast<double>(kLengthUnits);
    const double whole = std::floor(units);
    row[0] = static_cast<std::int64_t>(whole);
    row[1] = std::llround((units - whole) * static_cast<double>(std::int64_t{1} << kSizeRestBits));
    row[2] = length;
    row[3] = mean;
    row[4] = matched_;
    row[5] = static_cast<std::int64_t>(runs_.size());
  }

 private:
  // No more words match than either side has, for which the references stand with their mean length: the run
  // that passes it is cut off there, even within a word, and those after it are dropped.
  void cut_off(const std::vector<std::uint32_t>& lengths, std::int64_t most) {
    runs_.clear();
    matched_ = 0;
    for (const std::uint32_t length : lengths) {
      const std::int64_t left = std::min(std::int64_t{length} * kLengthUnits, most - matched_);
      if (left == 0) break;
      matched_ += left;
      runs_.push_back(static_cast<double>(left) / static_cast<double>(kLengthUnits));
    }
  }

  // The root of the sum of powers of the runs' lengths, each as a share of the longest, lest powers overflow.
  double size() const {
    if (runs_.empty()) return 0;
    if (exponent_ == 1) return static_cast<double>(matched_) / static_cast<double>(kLengthUnits);
    double sum = 0;
    for (const double length : runs_) sum += std::pow(length / runs_.front(), exponent_);
    return runs_.front() * std::pow(sum, 1 / exponent_);
  }

  const double exponent_;
  SegmentTokens text_;
  Matching matching_;
  std::vector<double> runs_;
  std::int64_t matched_ = 0;  // in kLengthUnits
};

}  // namespace

void gtm_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const GtmOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i)
        counter.count(i, hypotheses, references, rows + i * kGtmColumns);
    };
  });
}

}  // namespace understudy
