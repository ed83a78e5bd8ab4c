// Arrow string columns, by the Arrow C data interface: read where they lie, without an Arrow library.
// The two structures are the interface itself (https://arrow.apache.org/docs/format/CDataInterface.html).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "text/column.h"

namespace understudy {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

struct NotText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The arrays of a column of text, taken over from whoever made them. Throws NotText if the values are not
// plain strings. Their makers' functions are called only when it is made and when the last column of it is
// gone.
class ArrowText {
 public:
  explicit ArrowText(ArrowArrayStream& stream);
  ArrowText(ArrowSchema& schema, ArrowArray& array);

  // Throws NotText if a value is not valid UTF-8.
  Column column() const;

 private:
  struct Chunks;
  std::shared_ptr<Chunks> chunks_;
};

}  // namespace understudy
