#include "text/arrow.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "text/unicode.h"

namespace understudy {

namespace {

// A structure of the interface, released when the last user of its memory is gone.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T& taken) : value_(taken) { taken.release = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  T* get() { return &value_; }
  T* operator->() { return &value_; }

 private:
  T value_{};
};

using Views = std::vector<std::string_view>;

// utf8 ("u") and large_utf8 ("U"): all text in one buffer, cut by offsets.
template <class Offset>
std::string_view at_offset(const ArrowArray& array, std::int64_t i) {
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* text = static_cast<const char*>(array.buffers[2]);
  return {text + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
}

// utf8_view ("vu"): 16 bytes each; up to 12 bytes of text lie inside, longer text in one of several buffers.
std::string_view at_view(const ArrowArray& array, std::int64_t i) {
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * i;
  std::int32_t fields[4];  // length, prefix, buffer, offset
  std::memcpy(fields, view, sizeof fields);
  const auto length = static_cast<std::size_t>(fields[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char*>(array.buffers[2 + fields[2]]) + fields[3], length};
}

using ViewAt = std::string_view (*)(const ArrowArray&, std::int64_t);

ViewAt reader_for(const ArrowSchema& schema) {
  const std::string_view format = schema.dictionary == nullptr ? schema.format : "dictionary";
  if (format == "u") return at_offset<std::int32_t>;
  if (format == "U") return at_offset<std::int64_t>;
  if (format == "vu") return at_view;
  throw NotText("Arrow type '" + std::string(format) + "'");
}

void append(const ArrowArray& array, ViewAt view_at, Views& views) {
  const auto* validity = array.n_buffers > 0 ? static_cast<const unsigned char*>(array.buffers[0]) : nullptr;
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    const bool valid = validity == nullptr || (validity[i / 8] >> (i % 8) & 1) != 0;
    std::string_view text = valid ? view_at(array, i) : Column::absent();
    if (valid && text.data() == nullptr) text = Column::empty();
    if (unicode::find_invalid_utf8(text)) {
      throw NotText("value " + std::to_string(views.size() + 1) + " is not valid UTF-8");
    }
    views.push_back(text);
  }
}

}  // namespace

struct ArrowText::Chunks {
  ViewAt view_at;
  std::vector<std::unique_ptr<Owned<ArrowArray>>> arrays;
};

ArrowText::ArrowText(ArrowArrayStream& given) : chunks_(std::make_shared<Chunks>()) {
  Owned<ArrowArrayStream> stream(given);
  Owned<ArrowSchema> schema;
  auto check = [&stream](int status) {
    if (status == 0) return;
    const char* message = stream->get_last_error(stream.get());
    throw NotText(message != nullptr ? message : "the Arrow stream failed");
  };
  check(stream->get_schema(stream.get(), schema.get()));
  chunks_->view_at = reader_for(*schema.get());
  for (;;) {
    auto chunk = std::make_unique<Owned<ArrowArray>>();
    check(stream->get_next(stream.get(), chunk->get()));
    if (chunk->get()->release == nullptr) break;  // the end of the stream
    chunks_->arrays.push_back(std::move(chunk));
  }
}

ArrowText::ArrowText(ArrowSchema& given_schema, ArrowArray& given_array)
    : chunks_(std::make_shared<Chunks>()) {
  Owned<ArrowSchema> schema(given_schema);
  chunks_->arrays.push_back(std::make_unique<Owned<ArrowArray>>(given_array));
  chunks_->view_at = reader_for(*schema.get());
}

Column ArrowText::column() const {
  Views views;
  for (const auto& array : chunks_->arrays) append(*array->get(), chunks_->view_at, views);
  return {std::move(views), chunks_};
}

}  // namespace understudy
