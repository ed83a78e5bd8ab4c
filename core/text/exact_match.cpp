#include "text/exact_match.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "support/parallel.h"

namespace understudy {

namespace {

class Comparer {
 public:
  explicit Comparer(const ExactOptions& options)
      : options_(options), text_(options.tokenizer.value_or(Tokenizer::None), options.letter_case) {}

  bool matches(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    return options_.tokenizer ? tokens_match(segment, hypotheses, references)
                              : text_matches(segment, hypotheses, references);
  }

 private:
  bool tokens_match(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    text_.read(segment, hypotheses, references);
    for (std::size_t r = 0; r < text_.references(); ++r) {
      if (std::equal(text_.hypothesis().begin(), text_.hypothesis().end(), text_.reference(r).begin(),
                     text_.reference(r).end())) {
        return true;
      }
    }
    return false;
  }

  bool text_matches(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    const std::string_view hypothesis = plain(hypotheses[segment], hypothesis_);
    for (const Column& column : references) {
      if (column.present(segment) && plain(column[segment], reference_) == hypothesis) return true;
    }
    return false;
  }

  std::string_view plain(std::string_view text, std::string& lowered) const {
    return strip_left(strip_right(unicode::in_case(text, options_.letter_case, lowered)));
  }

  const ExactOptions options_;
  SegmentTokens text_;
  std::string hypothesis_;
  std::string reference_;
};

}  // namespace

void exact_matches(const Column& hypotheses, const std::vector<Column>& references,
                   const ExactOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 1024;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, comparer = Comparer(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) rows[i] = comparer.matches(i, hypotheses, references) ? 1 : 0;
    };
  });
}

}  // namespace understudy
