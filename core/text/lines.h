// Lines of a byte stream, taken a bounded number at a time.
//
// Only LF ends a line, as `wc -l` counts; a CR before it belongs to the line end (CRLF files). What
// follows the last LF is a line too, unless it is empty. A UTF-8 byte order mark at the start is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/column.h"

namespace understudy {

struct InvalidUtf8 : std::runtime_error {
  InvalidUtf8(std::uint64_t line_number, std::uint64_t byte_offset, unsigned char first_byte)
      : std::runtime_error("invalid UTF-8"), line(line_number), offset(byte_offset), byte(first_byte) {}
  std::uint64_t line;    // 1-based
  std::uint64_t offset;  // 0-based, from the start of the stream
  unsigned char byte;    // what stands there
};

class LineReader {
 public:
  void feed(std::string_view bytes);
  void finish();                                          // no more bytes will come
  std::size_t available() const { return ends_.size(); }  // lines that take() can give now
  Column take(std::size_t count);                         // up to count lines; fewer at the end

 private:
  void drop_byte_order_mark();

  std::string buffer_;             // not yet taken
  std::vector<std::size_t> ends_;  // where the LFs in buffer_ are
  bool at_start_ = true;           // a byte order mark may still come
  std::uint64_t bytes_taken_ = 0;  // before buffer_, for error messages
  std::uint64_t lines_taken_ = 0;
};

}  // namespace understudy
