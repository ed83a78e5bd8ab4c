#include "lines.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "unicode.h"

namespace understudy {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_carriage_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::uint64_t count_newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

void LineReader::feed(std::string_view bytes) {
  buffer_.append(bytes);
  complete_lines_ += count_newlines(bytes);
  if (at_start_ && buffer_.size() >= kByteOrderMark.size()) {
    at_start_ = false;
    if (std::string_view(buffer_).starts_with(kByteOrderMark)) {
      buffer_.erase(0, kByteOrderMark.size());
      bytes_taken_ += kByteOrderMark.size();
    }
  }
}

void LineReader::finish() {
  if (buffer_.empty() || buffer_.back() == '\n') return;
  buffer_.push_back('\n');
  ++complete_lines_;
}

Column LineReader::take(std::size_t count) {
  count = std::min(count, complete_lines_);
  auto text = std::make_shared<std::string>(std::move(buffer_));
  std::vector<std::string_view> lines;
  lines.reserve(count);

  const char* cursor = text->data();
  const char* const end = cursor + text->size();
  while (lines.size() < count) {
    const auto* newline = static_cast<const char*>(
        std::memchr(cursor, '\n', static_cast<std::size_t>(end - cursor)));
    lines.push_back(without_carriage_return({cursor, newline}));
    cursor = newline + 1;
  }

  const auto used = static_cast<std::size_t>(cursor - text->data());
  const std::string_view taken(text->data(), used);
  if (const auto bad = unicode::find_invalid_utf8(taken)) {
    throw InvalidUtf8(lines_taken_ + count_newlines(taken.substr(0, *bad)) + 1, bytes_taken_ + *bad);
  }
  buffer_.assign(cursor, end);
  complete_lines_ -= count;
  lines_taken_ += count;
  bytes_taken_ += used;
  return {std::move(lines), std::move(text)};
}

}  // namespace understudy
