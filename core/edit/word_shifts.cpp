#include "edit/word_shifts.h"

#include <algorithm>

#include "edit/shifted_text.h"

namespace understudy {

// ---------------------------------------------------------------------------------------------------

class WordShifter::Search {
 public:
  std::int64_t run(const Words& reference, std::size_t kinds, Words& hypothesis) {
    if (reference.empty()) return 0;
    text_.start(reference, kinds, hypothesis.size());
    bounded_ = reference.size() > kMeasuredAtOnce;
    const std::int64_t least = least_distance(reference, kinds, hypothesis);
    find_occurrences(reference, kinds);
    std::int64_t shifts = 0;
    text_.read(hypothesis);
    while (text_.distance() > least && find_best()) {
      text_.do_shift(best_);
      ++shifts;
    }
    hypothesis = text_.words();
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
    halves_with_.resize(2 * reference.size());
  }

  bool find_best() {
    best_gain_ = 0;
    for (Halves& halves : halves_with_) halves.clear();
    const Words& words = text_.words();
    for (auto i = static_cast<std::uint32_t>(words.size()); i-- > 0;) {
      halves_without_.clear();
      // Upwards, so that the run that starts one word further is still that of the next word.
      for (std::uint32_t j = first_[words[i]]; j != kNone; j = next_[j]) {
        const Run& further = runs_[j + 1];
        const std::uint32_t length = further.word == pass_ + i + 1 ? further.length + 1 : 1;
        runs_[j] = {pass_ + i, length};
        if (i != j) consider({i, std::min<std::size_t>(j, words.size() - length), length}, j);
      }
    }
    pass_ += words.size() + 2;
    return best_gain_ > 0;
  }

  void consider(const Shift& shift, std::uint32_t place) {
    if (shift.from == shift.to) return;
    // Taking a phrase away and putting it elsewhere changes the distance by its length each time.
    if (!may_win(shift, 2 * static_cast<std::int64_t>(shift.length))) return;
    std::int64_t distance = 0;
    if (!bounded_) {
      distance = text_.distance_after(shift);
    } else {
      // Without the phrase the words have some distance, and putting it in lowers that by no more than its
      // length; with the phrase in both places they have another, and taking it away lowers that by no more.
      Half& without = half_without(shift);
      if (!may_win(shift, most_gain(without, shift))) return;
      Half& with = half_with(shift, place);
      if (!may_win(shift, most_gain(with, shift))) return;
      const bool onwards = shift.from < shift.to;
      distance = text_.distance_after(shift, onwards ? without : with, onwards ? with : without);
    }
    const std::int64_t gain = text_.distance() - distance;
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
      const std::uint32_t word = shift.at(text_.words(), i);
      const std::uint32_t other = best_.at(text_.words(), i);
      if (word != other) return word > other;
    }
    return false;
  }

  // The halves are the same for many shifts: one phrase goes to many places, and to one place go many.
  using Half = ShiftedText::Half;
  struct Known {
    std::size_t length;
    Half half;
  };
  using Halves = std::vector<Known>;

  std::int64_t most_gain(const Half& half, const Shift& shift) const {
    return text_.distance() - half.distance + static_cast<std::int64_t>(shift.length);
  }

  Half& half_without(const Shift& shift) {
    return known(halves_without_, shift.length, [&] { return text_.without(shift.from, shift.length); });
  }

  Half& half_with(const Shift& shift, std::size_t place) {
    const bool onwards = shift.from < shift.to;
    return known(halves_with_[2 * place + (onwards ? 1 : 0)], shift.length,
                 [&] { return text_.with(onwards ? shift.end() : shift.begin(), place, shift.length); });
  }

  template <class Compute>
  static Half& known(Halves& halves, std::size_t length, Compute&& compute) {
    for (Known& entry : halves) {
      if (entry.length == length) return entry.half;
    }
    halves.push_back({length, compute()});
    return halves.back().half;
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
  Halves halves_without_;            // of the phrases that start at one word
  std::vector<Halves> halves_with_;  // by place in the reference and direction
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
