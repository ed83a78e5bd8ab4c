#include "ngram/skip_bigrams.h"

#include <algorithm>

#include "edit/too_long.h"
#include "support/parallel.h"
#include "text/numbered_pair.h"
#include "text/tokens.h"

namespace understudy {

namespace {

class Counter {
 public:
  explicit Counter(const SkipBigramOptions& options)
      : options_(options), text_(options.tokenizer, options.letter_case) {}

  // Fills the row of every reference, `stride` numbers apart.
  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row, std::size_t stride) {
    text_.read(segment, hypotheses, references);
    std::size_t present = 0;
    for (const Column& column : references) {
      std::fill_n(row, kSkipBigramColumns, 0);
      if (column.present(segment)) compare(text_.reference(present++), row);
      row += stride;
    }
  }

 private:
  void compare(const Refilled<Token>& reference, std::int64_t* row) {
    words_.read(text_.hypothesis(), reference);
    const std::size_t length = words_.hypothesis().size();
    const std::size_t reference_length = words_.reference().size();
    const std::size_t in_text = total(length);
    const std::size_t in_reference = total(reference_length);
    refuse_if_too_long((in_text + in_reference) * sizeof(std::uint64_t), length, reference_length);
    list(words_.hypothesis(), listed_);
    list(words_.reference(), listed_in_reference_);
    row[0] = common();
    row[1] = static_cast<std::int64_t>(in_text);
    row[2] = static_cast<std::int64_t>(in_reference);
  }

  std::size_t single_words(std::size_t length) const {
    if (options_.single_words == SingleWords::None) return 0;
    return options_.single_words == SingleWords::All ? length : length - std::min<std::size_t>(length, 1);
  }

  // How many words behind the word at i it makes a pair with.
  std::size_t partners(std::size_t i, std::size_t length) const {
    const std::size_t behind = length - 1 - i;
    return behind == 0 ? 0 : std::min(behind - 1, options_.max_skip) + 1;
  }

  std::size_t total(std::size_t length) const {
    std::size_t sum = single_words(length);
    for (std::size_t i = 0; i < length; ++i) sum += partners(i, length);
    return sum;
  }

  // What can be common, sorted: a word alone is a pair with nothing.
  void list(const std::vector<std::uint32_t>& words, std::vector<std::uint64_t>& listed) const {
    listed.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == 0) continue;
      const std::uint64_t first = std::uint64_t{words[i]} << 32;
      if (i < single_words(words.size())) listed.push_back(first);
      const std::size_t end = i + 1 + partners(i, words.size());
      for (std::size_t j = i + 1; j < end; ++j) {
        if (words[j] != 0) listed.push_back(first | words[j]);
      }
    }
    std::sort(listed.begin(), listed.end());
  }

  std::int64_t common() const {
    std::int64_t found = 0;
    auto at = listed_in_reference_.begin();
    for (const std::uint64_t pair : listed_) {
      while (at != listed_in_reference_.end() && *at < pair) ++at;
      if (at == listed_in_reference_.end()) break;
      if (*at != pair) continue;
      ++found;
      ++at;
    }
    return found;
  }

  const SkipBigramOptions options_;
  SegmentTokens text_;
  NumberedPair words_;
  std::vector<std::uint64_t> listed_, listed_in_reference_;
};

}  // namespace

void skip_bigram_statistics(const Column& hypotheses, const std::vector<Column>& references,
                            const SkipBigramOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 64;
  const std::size_t stride = hypotheses.size() * kSkipBigramColumns;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        count_segment(
            i, [&] { counter.count(i, hypotheses, references, rows + i * kSkipBigramColumns, stride); });
      }
    };
  });
}

}  // namespace understudy
