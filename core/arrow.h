// Arrow string columns, by the Arrow C data interface: read where they lie, without an Arrow library.
// The two structures are the interface itself (https://arrow.apache.org/docs/format/CDataInterface.html).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "column.h"

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

// Takes over what it is given. Throws NotText if the values are not plain strings.
Column column_from_arrow_stream(ArrowArrayStream& stream);
Column column_from_arrow_array(ArrowSchema& schema, ArrowArray& array);

}  // namespace understudy
