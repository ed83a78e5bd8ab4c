#include "text/tagged_text.h"

#include <memory>
#include <utility>
#include <vector>

#include "text/tokenize.h"

namespace understudy {

namespace {

// Text of which only the lengths are known before it is whole.
class Builder {
 public:
  void add(std::string_view token) {
    if (text_->size() > begin_) text_->push_back(' ');
    text_->append(token);
  }
  void end_segment(bool present) {
    ends_.push_back({text_->size(), present});
    begin_ = text_->size();
  }
  Column column() && {
    std::vector<std::string_view> segments;
    std::size_t begin = 0;
    for (const auto& [end, present] : ends_) {
      segments.push_back(present ? std::string_view(*text_).substr(begin, end - begin) : Column::absent());
      begin = end;
    }
    return {std::move(segments), std::move(text_)};
  }

 private:
  std::shared_ptr<std::string> text_ = std::make_shared<std::string>();
  std::size_t begin_ = 0;
  std::vector<std::pair<std::size_t, bool>> ends_;
};

}  // namespace

Tagged split_tagged(const Column& text, std::string_view separator) {
  Builder words;
  Builder tags;
  std::optional<Tagged::Untagged> untagged;
  for (std::size_t i = 0; i < text.size() && !untagged; ++i) {
    tokenize_none(text[i], [&](const char* begin, const char* end, const char*) {
      const std::string_view token(begin, static_cast<std::size_t>(end - begin));
      const std::size_t cut = token.rfind(separator);
      const bool both = cut != std::string_view::npos && cut > 0 && cut + separator.size() < token.size();
      if (both) {
        words.add(token.substr(0, cut));
        tags.add(token.substr(cut + separator.size()));
      } else if (!untagged) {
        untagged = {i, std::string(token)};
      }
    });
    words.end_segment(text.present(i));
    tags.end_segment(text.present(i));
  }
  return {std::move(words).column(), std::move(tags).column(), std::move(untagged)};
}

}  // namespace understudy
