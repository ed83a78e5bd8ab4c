#include "edit/word_errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "edit/bit_distance.h"
#include "edit/token_positions.h"
#include "support/parallel.h"

namespace understudy {

namespace {

struct Edits {
  std::int64_t hits = 0;
  std::int64_t substitutions = 0;
  std::int64_t deletions = 0;   // words of the reference that the hypothesis lacks
  std::int64_t insertions = 0;  // words of the hypothesis that the reference lacks

  std::int64_t sum() const { return substitutions + deletions + insertions; }
};

// ---------------------------------------------------------------------------------------------------
// Levenshtein's distance as bit_distance.h has it, i counting the words of the reference and j those of the
// hypothesis, and which edits it is made of.
//
// There may be many cheapest ways. The one taken is RapidFuzz's, so that the parts agree with jiwer's: what
// is common at both ends is set aside; then, from the end, a deletion wherever it is cheapest, else an
// insertion if D[i][j-1] < D[i-1][j-1], else a step on both sides.

class Levenshtein {
 public:
  Edits operator()(Tokens hypothesis, Tokens reference) {
    Edits edits;
    edits.hits = strip_common_ends(hypothesis, reference);
    if (hypothesis.empty() || reference.empty()) {
      edits.deletions = static_cast<std::int64_t>(reference.size());
      edits.insertions = static_cast<std::int64_t>(hypothesis.size());
      return edits;
    }
    occurrences_.start(reference);
    numbers_.start(hypothesis.size());
    for (const Token& token : hypothesis) numbers_.append(occurrences_.number_of(token));
    count(reference.size(), edits);
    return edits;
  }

 private:
  static std::int64_t strip_common_ends(Tokens& a, Tokens& b) {
    const auto front = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    a = a.subspan(static_cast<std::size_t>(front));
    b = b.subspan(static_cast<std::size_t>(front));
    const auto back = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
    a = a.first(a.size() - static_cast<std::size_t>(back));
    b = b.first(b.size() - static_cast<std::size_t>(back));
    return front + back;
  }

  // The steps of every column are needed to go back, but they need not be kept all at once: long texts are
  // done in parts, of which only the first column is kept, and the others are computed again on the way back.
  void count(std::size_t reference_length, Edits& edits) {
    blocks_ = (reference_length + kBits - 1) / kBits;
    marks_.assign(blocks_, 0);
    const std::size_t columns = numbers_.size();
    // With parts as long as there are parts, memory grows with the power 1.5 of the length, not with its
    // square.
    const auto balanced = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(columns))));
    const std::size_t part = std::clamp<std::size_t>(kSteps / blocks_, balanced, columns);
    const std::size_t parts = (columns + part - 1) / part;
    grow(kept_, parts * blocks_);
    grow(steps_, (part + 1) * blocks_);

    std::fill_n(kept_.begin(), blocks_, Steps{~Bits{0}, 0});  // D[i][0] = i
    for (std::size_t p = 0; p + 1 < parts; ++p) {
      Steps* const next = &kept_[(p + 1) * blocks_];
      std::copy_n(&kept_[p * blocks_], blocks_, next);
      for (std::size_t j = p * part; j < (p + 1) * part; ++j) advance(numbers_[j], next, next);
    }
    std::size_t i = reference_length;
    std::size_t j = columns;
    for (std::size_t p = parts; p-- > 0 && i > 0;) {
      const std::size_t begin = p * part;
      std::copy_n(&kept_[p * blocks_], blocks_, steps_.data());
      for (std::size_t k = 0; k < j - begin; ++k) {
        advance(numbers_[begin + k], &steps_[k * blocks_], &steps_[(k + 1) * blocks_]);
      }
      go_back(begin, i, j, edits);
    }
    edits.deletions += static_cast<std::int64_t>(i);
    edits.insertions += static_cast<std::int64_t>(j);
  }

  // From one column to the next. They may be the same memory.
  void advance(std::uint32_t number, const Steps* before, Steps* after) {
    occurrences_.mark(number, 0, marks_);
    advance_steps(before, after, blocks_, [this](std::size_t b) { return std::exchange(marks_[b], 0); });
  }

  // From cell (i, j) until column `begin` or an edge is reached.
  void go_back(std::size_t begin, std::size_t& i, std::size_t& j, Edits& edits) const {
    while (i > 0 && j > begin) {
      const std::size_t block = (i - 1) / kBits;
      const std::size_t bit = (i - 1) % kBits;
      const Steps* const before = &steps_[(j - 1 - begin) * blocks_ + block];
      if ((before[blocks_].up >> bit & 1) != 0) {
        ++edits.deletions;
        --i;
      } else if ((before->down >> bit & 1) != 0) {
        ++edits.insertions;
        --j;
      } else {
        --i;
        --j;
        const bool hit = occurrences_.number_at(i) == numbers_[j];
        edits.hits += hit ? 1 : 0;
        edits.substitutions += hit ? 0 : 1;
      }
    }
  }

  static void grow(std::vector<Steps>& steps, std::size_t size) {
    if (steps.size() < size) steps.resize(size);
  }

  static constexpr std::size_t kSteps = std::size_t{1} << 17;  // 2 MiB per thread: about 2,900 words

  TokenPositions occurrences_;       // of the reference's words
  Refilled<std::uint32_t> numbers_;  // of the hypothesis's words
  std::size_t blocks_ = 0;
  std::vector<Bits> marks_;   // of the positions of one word; zero in between
  std::vector<Steps> kept_;   // the column before each part
  std::vector<Steps> steps_;  // the columns of one part, and the one before them
};

// ---------------------------------------------------------------------------------------------------
// The distance between bags of words: what is too much or missing is inserted or deleted, and the rest of
// what does not match is substituted.

class BagDistance {
 public:
  Edits operator()(Tokens hypothesis, Tokens reference) {
    vocabulary_.start(2 * reference.size());
    left_.start(reference.size() + 1);
    left_.append(0);
    for (const Token& token : reference) {
      ++left_[vocabulary_.find_or_add(token, [this] {
        left_.append(0);
        return static_cast<std::uint32_t>(left_.size() - 1);
      })];
    }
    Edits edits;
    for (const Token& token : hypothesis) {
      std::uint32_t& left = left_[vocabulary_.find(token)];
      const std::uint32_t hit = left > 0 ? 1 : 0;
      left -= hit;
      edits.hits += hit;
    }
    const auto have = static_cast<std::int64_t>(hypothesis.size());
    const auto want = static_cast<std::int64_t>(reference.size());
    edits.substitutions = std::min(have, want) - edits.hits;
    edits.deletions = std::max<std::int64_t>(want - have, 0);
    edits.insertions = std::max<std::int64_t>(have - want, 0);
    return edits;
  }

 private:
  Vocabulary vocabulary_;
  Refilled<std::uint32_t> left_;  // by number: how many of the reference's are not matched yet
};

// ---------------------------------------------------------------------------------------------------
// The distance with long jumps (Leusch, Ueffing, Ney 2006, section 3.2): for every word of the reference in
// turn, from any place in the hypothesis one may go on to any other for one edit.
//
// So no two places differ by more than that edit, and a row of the table is its least value and one bit per
// place, 0 to length: whether it has that value.

class JumpDistance {
 public:
  std::int64_t operator()(Tokens hypothesis, Tokens reference) {
    occurrences_.start(hypothesis);
    const std::size_t blocks = hypothesis.size() / kBits + 1;
    marks_.assign(blocks, 0);
    followed_.assign(blocks, 0);
    least_.assign(blocks, 0);
    least_[0] = 1;  // before the first word: no edit; anywhere else: a jump
    std::int64_t edits = 0;
    for (const Token& token : reference) {
      occurrences_.mark(occurrences_.number_of(token), 1, marks_);
      Bits any = 0;
      Bits carried = 0;
      for (std::size_t b = 0; b < blocks; ++b) {
        followed_[b] = (least_[b] << 1 | carried) & marks_[b];
        any |= followed_[b];
        carried = least_[b] >> (kBits - 1);
      }
      if (any != 0) {
        std::swap(least_, followed_);
        std::fill(marks_.begin(), marks_.end(), 0);
        continue;
      }
      // No match goes on from a least place, so that one edit more is the least now: the word is deleted,
      // substituted, or matched from a place that was one edit behind.
      ++edits;
      carried = 0;
      for (std::size_t b = 0; b < blocks; ++b) {
        const Bits before = least_[b];
        least_[b] |= before << 1 | carried | marks_[b];
        marks_[b] = 0;
        carried = before >> (kBits - 1);
      }
    }
    const bool at_end = (least_[hypothesis.size() / kBits] >> (hypothesis.size() % kBits) & 1) != 0;
    return at_end ? edits : edits + 1;
  }

 private:
  TokenPositions occurrences_;  // of the hypothesis's words
  std::vector<Bits> marks_;
  std::vector<Bits> least_;
  std::vector<Bits> followed_;
};

// ---------------------------------------------------------------------------------------------------

class Counter {
 public:
  explicit Counter(const EditOptions& options)
      : options_(options), text_(options.tokenizer, options.letter_case) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row) {
    text_.read(segment, hypotheses, references);
    Candidate best = candidate(0);
    std::int64_t lengths = best.length;
    for (std::size_t r = 1; r < text_.references(); ++r) {
      const Candidate other = candidate(r);
      lengths += other.length;
      if (is_better(other, best)) best = other;
    }
    row[0] = best.edits;
    row[1] =
        options_.length == EditedLength::Average ? mean_length(lengths, text_.references()) : best.length;
    if (options_.kind == EditKind::LongJumps) return;
    row[2] = best.parts.hits;
    row[3] = best.parts.substitutions;
    row[4] = best.parts.deletions;
    row[5] = best.parts.insertions;
  }

 private:
  struct Candidate {
    std::int64_t edits = 0;
    std::int64_t length = 0;
    Edits parts;
  };

  Candidate candidate(std::size_t which) {
    const Tokens hypothesis(text_.hypothesis().begin(), text_.hypothesis().end());
    const Tokens reference(text_.reference(which).begin(), text_.reference(which).end());
    Candidate found;
    found.length = static_cast<std::int64_t>(reference.size());
    if (options_.kind == EditKind::LongJumps) {
      found.edits = jumps_(hypothesis, reference);
    } else {
      found.parts = options_.kind == EditKind::Ordered ? levenshtein_(hypothesis, reference)
                                                       : bags_(hypothesis, reference);
      found.edits = found.parts.sum();
    }
    return found;
  }

  bool is_better(const Candidate& one, const Candidate& other) const {
    if (options_.length == EditedLength::Chosen) {
      // a/b < c/d as a*d < c*b. What edits against an empty reference are is as the score has it.
      const auto edits = [this](const Candidate& c) {
        return c.length > 0 || options_.each_insertion ? c.edits : std::min<std::int64_t>(c.edits, 1);
      };
      const auto length = [](const Candidate& c) { return std::max<std::int64_t>(c.length, 1); };
      const std::int64_t left = edits(one) * length(other);
      const std::int64_t right = edits(other) * length(one);
      if (left != right) return left < right;
    }
    return one.edits != other.edits ? one.edits < other.edits : one.length > other.length;
  }

  const EditOptions options_;
  SegmentTokens text_;
  Levenshtein levenshtein_;
  BagDistance bags_;
  JumpDistance jumps_;
};

}  // namespace

void edit_statistics(const Column& hypotheses, const std::vector<Column>& references,
                     const EditOptions& options, std::int64_t* rows) {
  const std::size_t width = edit_columns(options.kind);
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) counter.count(i, hypotheses, references, rows + i * width);
    };
  });
}

}  // namespace understudy
