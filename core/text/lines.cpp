#include "text/lines.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "text/unicode.h"

namespace understudy {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_carriage_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

void LineReader::feed(std::string_view bytes) {
  const std::size_t before = buffer_.size();
  buffer_.append(bytes);
  const char* const begin = buffer_.data();
  const char* const end = begin + buffer_.size();
  for (const char* p = begin + before; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (p == nullptr) break;
    ends_.push_back(static_cast<std::size_t>(p - begin));
  }
  if (at_start_) drop_byte_order_mark();
}

void LineReader::drop_byte_order_mark() {
  const bool undecided = buffer_.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(buffer_);
  if (undecided) return;
  at_start_ = false;
  if (!std::string_view(buffer_).starts_with(kByteOrderMark)) return;
  buffer_.erase(0, kByteOrderMark.size());
  bytes_taken_ += kByteOrderMark.size();
  for (std::size_t& end : ends_) end -= kByteOrderMark.size();
}

void LineReader::finish() {
  if (!buffer_.empty() && buffer_.back() != '\n') feed("\n");
}

Column LineReader::take(std::size_t count) {
  count = std::min(count, ends_.size());
  auto text = std::make_shared<std::string>(std::move(buffer_));
  std::vector<std::string_view> lines;
  lines.reserve(count);
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    lines.push_back(without_carriage_return({text->data() + used, ends_[i] - used}));
    used = ends_[i] + 1;
  }

  const std::string_view taken(text->data(), used);
  if (const auto bad = unicode::find_invalid_utf8(taken)) {
    const auto lines_before =
        std::count(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(*bad), '\n');
    buffer_ = *text;  // as it was before
    throw InvalidUtf8(lines_taken_ + static_cast<std::uint64_t>(lines_before) + 1, bytes_taken_ + *bad,
                      static_cast<unsigned char>(taken[*bad]));
  }
  buffer_.assign(*text, used);
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t& end : ends_) end -= used;
  lines_taken_ += count;
  bytes_taken_ += used;
  return {std::move(lines), std::move(text)};
}

}  // namespace understudy
