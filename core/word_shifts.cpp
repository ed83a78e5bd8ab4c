#include "word_shifts.h"

#include <algorithm>

#include "shifted_text.h"

namespace understudy {

// ---------------------------------------------------------------------------------------------------

class WordShifter::Search {
 public:
  std::int64_t run(const Words& reference, std::size_t kinds, Words& hypothesis) {
    if (reference.empty()) return 0;
    text_.start(reference, kinds);
    bounded_ = reference.size() > kMeasuredAtOnce;
    const std::int64_t least = least_distance(reference, kinds, hypothesis);
    find_occurrences(reference, kinds);
    std::int64_t shifts = 0;
    words_ = hypothesis;
    text_.read(words_, 0, words_.size());
    while (text_.distance() > least && find_best()) {
      for (std::size_t i = 0; i < words_.size(); ++i) hypothesis[i] = best_.at(words_, i);
      words_ = hypothesis;
      text_.read(words_, best_.begin(), best_.end());
      ++shifts;
    }
    return shifts;
  }

 private:
  // What words that differ cost in any order.
  std::int64_t least_distance(const Words& reference, std::size_t kinds, const Words& hypothesis) {
    left_.assign(kinds, 0);
    for (const std::uint32_t word : reference) ++left_[word];
    std::int64_t matches = 0;
    for (const std::uint32_t word : hypothesis) matches += left_[word]-- > 0 ? 1 : 0;
    return static_cast<std::int64_t>(std::max(hypothesis.size(), reference.size())) - matches;
  }

  void find_occurrences(const Words& reference, std::size_t kinds) {
    first_.assign(kinds, kNone);
    next_.resize(reference.size());
    for (auto j = static_cast<std::uint32_t>(reference.size()); j-- > 0;) {
      next_[j] = first_[reference[j]];
      first_[reference[j]] = j;
    }
    runs_.assign(reference.size() + 1, Run{});
    gains_with_.resize(2 * reference.size());
  }

  bool find_best() {
    best_gain_ = 0;
    for (Gains& gains : gains_with_) gains.clear();
    for (auto i = static_cast<std::uint32_t>(words_.size()); i-- > 0;) {
      gains_without_.clear();
      // Upwards, so that the run that starts one word further is still that of the next word.
      for (std::uint32_t j = first_[words_[i]]; j != kNone; j = next_[j]) {
        const Run& further = runs_[j + 1];
        const std::uint32_t length = further.word == pass_ + i + 1 ? further.length + 1 : 1;
        runs_[j] = {pass_ + i, length};
        if (i != j) consider({i, std::min<std::size_t>(j, words_.size() - length), length}, j);
      }
    }
    pass_ += words_.size() + 2;
    return best_gain_ > 0;
  }

  void consider(const Shift& shift, std::uint32_t place) {
    if (shift.from == shift.to) return;
    // Taking a phrase away and putting it elsewhere changes the distance by its length each time.
    if (!may_win(shift, 2 * static_cast<std::int64_t>(shift.length))) return;
    if (bounded_ && !(may_win(shift, gain_without(shift)) && may_win(shift, gain_with(shift, place)))) return;
    const std::int64_t gain = text_.distance() - text_.distance_after(shift);
    if (gain > best_gain_ || (gain > 0 && gain == best_gain_ && is_greater(shift))) {
      best_gain_ = gain;
      best_ = shift;
    }
  }

  // Whether a shift that gains no more than this can be the best: if only as much as the best so far, its
  // list of words must be greater.
  bool may_win(const Shift& shift, std::int64_t most) const {
    if (most != best_gain_ || most <= 0) return most > best_gain_;
    return is_greater(shift);
  }

  bool is_greater(const Shift& shift) const {
    const std::size_t end = std::max(shift.end(), best_.end());
    for (std::size_t i = std::min(shift.begin(), best_.begin()); i < end; ++i) {
      const std::uint32_t word = shift.at(words_, i);
      const std::uint32_t other = best_.at(words_, i);
      if (word != other) return word > other;
    }
    return false;
  }

  // The bounds are the same for many shifts: one phrase goes to many places, and to one place go many.
  struct Known {
    std::size_t length;
    std::int64_t gain;
  };
  using Gains = std::vector<Known>;

  std::int64_t gain_without(const Shift& shift) {
    return known(gains_without_, shift.length, [&] { return text_.gain_without(shift.from, shift.length); });
  }

  std::int64_t gain_with(const Shift& shift, std::size_t place) {
    const bool onwards = shift.from < shift.to;
    return known(gains_with_[2 * place + (onwards ? 1 : 0)], shift.length,
                 [&] { return text_.gain_with(onwards ? shift.end() : shift.begin(), place, shift.length); });
  }

  template <class Compute>
  static std::int64_t known(Gains& gains, std::size_t length, Compute&& compute) {
    for (const Known& entry : gains) {
      if (entry.length == length) return entry.gain;
    }
    gains.push_back({length, compute()});
    return gains.back().gain;
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kMeasuredAtOnce = kBits;  // so few words are measured as fast as bounded

  struct Run {
    std::uint64_t word = 0;  // of the hypothesis, in this pass: where the run starts
    std::uint32_t length = 0;
  };

  ShiftedText text_;
  bool bounded_ = false;
  std::vector<std::int64_t> left_;
  Words first_;            // by word: where the reference has it first
  Words next_;             // by place in the reference: where it has the same word next
  std::vector<Run> runs_;  // by place in the reference: the common phrase that starts there
  std::uint64_t pass_ = 1;
  Words words_;
  Gains gains_without_;            // of the phrases that start at one word
  std::vector<Gains> gains_with_;  // by place in the reference and direction
  Shift best_{};
  std::int64_t best_gain_ = 0;
};

WordShifter::WordShifter() : search_(std::make_unique<Search>()) {}
WordShifter::WordShifter(WordShifter&&) noexcept = default;
WordShifter::~WordShifter() = default;

std::int64_t WordShifter::operator()(const Words& reference, std::size_t kinds, Words& hypothesis) {
  return search_->run(reference, kinds, hypothesis);
}

}  // namespace understudy
