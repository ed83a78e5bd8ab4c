#include "features/ngram_features.h"

#include <memory>

#include "text/tokens.h"

namespace understudy {

namespace {

// The n-grams of a segment, order by order: an n-gram's number is that of its first n - 1 words, joined by
// the last.
class NgramParts : public Parts {
 public:
  explicit NgramParts(const NgramOptions& options) : text_(options.tokenizer, options.letter_case) {}

  void start(const SegmentTexts& texts, PartNumbers& numbers, Sides& sides) override {
    text_.read(texts.segment, texts.hypotheses, texts.references);
    words_.hypothesis = numbered(text_.hypothesis(), numbers);
    words_.references.resize(text_.references());
    for (std::size_t r = 0; r < text_.references(); ++r) {
      words_.references[r] = numbered(text_.reference(r), numbers);
    }
    sides = words_;
  }

  void deepen(unsigned order, PartNumbers& numbers, Sides& sides) override {
    lengthen(order, words_.hypothesis, numbers, sides.hypothesis);
    for (std::size_t r = 0; r < words_.references.size(); ++r) {
      lengthen(order, words_.references[r], numbers, sides.references[r]);
    }
  }

  std::string text_of(std::uint32_t number, const PartNumbers& numbers) const override {
    return path_of(number, numbers, " ");
  }

 private:
  static std::vector<std::uint32_t> numbered(const Refilled<Token>& tokens, PartNumbers& numbers) {
    std::vector<std::uint32_t> found;
    found.reserve(tokens.size());
    for (const Token& token : tokens) found.push_back(numbers.of_label(token));
    return found;
  }

  static void lengthen(unsigned order, const std::vector<std::uint32_t>& words, PartNumbers& numbers,
                       std::vector<std::uint32_t>& parts) {
    if (!parts.empty()) parts.pop_back();  // nothing follows the last one
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = numbers.joined(parts[i], words[i + order - 1]);
  }

  SegmentTokens text_;
  Sides words_;
};

MakeParts ngrams_of(const NgramOptions& options) {
  return [options] { return std::make_unique<NgramParts>(options); };
}

}  // namespace

MatchFeatures ngram_features(const Column& hypotheses, const std::vector<Column>& references,
                             const NgramOptions& options, double* shares) {
  return features_of(hypotheses, references, options.max_order, options.threads, ngrams_of(options), shares);
}

std::vector<NamedFeature> named_ngrams(const Column& hypotheses, const std::vector<Column>& references,
                                       const NgramOptions& options, const std::vector<std::uint64_t>& ids) {
  return named_features(hypotheses, references, options.max_order, ngrams_of(options), ids);
}

}  // namespace understudy
