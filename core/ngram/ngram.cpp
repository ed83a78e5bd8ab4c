#include "ngram/ngram.h"

#include <algorithm>

#include "ngram/clipped_matches.h"
#include "support/parallel.h"

namespace understudy {

void ngram_statistics(const Column& hypotheses, const std::vector<Column>& references,
                      const NgramOptions& options, std::int64_t* rows) {
  const std::size_t width = ngram_columns(options.max_order);
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, matcher = Matcher(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        std::int64_t* const row = rows + i * width;
        std::int64_t* const matches = row + 2;
        std::fill_n(matches, options.max_order, 0);
        matcher.follow(i, hypotheses, references,
                       [matches](unsigned n, std::int64_t count) { matches[n - 1] = count; });
        row[0] = matcher.hypothesis_length();
        row[1] = matcher.reference_length();
        matcher.fill_totals(matches + options.max_order);
      }
    };
  });
}

void ngram_statistics_by_reference(const Column& hypotheses, const std::vector<Column>& references,
                                   const NgramOptions& options, std::int64_t* rows) {
  const std::size_t width = ngram_columns_by_reference(options.max_order);
  constexpr std::size_t kBlock = 64;
  for (std::size_t r = 0; r < references.size(); ++r) {
    const std::vector<Column> one(1, references[r]);
    std::int64_t* const rows_of_one = rows + r * hypotheses.size() * width;
    parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
      return [&, matcher = Matcher(options)](std::size_t begin, std::size_t end) mutable {
        for (std::size_t i = begin; i < end; ++i) {
          std::int64_t* const row = rows_of_one + i * width;
          std::fill_n(row, width, 0);
          if (!one[0].present(i)) continue;
          matcher.follow(i, hypotheses, one, [row](unsigned n, std::int64_t count) { row[n + 1] = count; });
          row[0] = matcher.hypothesis_length();
          row[1] = matcher.reference_length();
        }
      };
    });
  }
}

}  // namespace understudy
