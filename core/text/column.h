// A column of text segments: the one input type of the core.
//
// Whatever holds the text (a Python list, a chunk of a file, an Arrow array), the core sees a vector of
// views into it and a handle that keeps the bytes alive. Nothing is copied to make one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace understudy {

class Column {
 public:
  Column(std::vector<std::string_view> segments, std::shared_ptr<const void> owner)
      : segments_(std::move(segments)), owner_(std::move(owner)) {}

  std::size_t size() const { return segments_.size(); }
  std::string_view operator[](std::size_t i) const { return segments_[i]; }

  // An absent reference is not an empty one: an empty string is a reference of length 0.
  bool present(std::size_t i) const { return segments_[i].data() != nullptr; }
  static std::string_view absent() { return {}; }
  static std::string_view empty() { return {"", 0}; }

  Column slice(std::size_t begin, std::size_t end) const {
    return {{segments_.begin() + static_cast<std::ptrdiff_t>(begin),
             segments_.begin() + static_cast<std::ptrdiff_t>(end)},
            owner_};
  }

  // The segments of these numbers, each as often as it is named.
  Column taken(const std::int64_t* rows, std::size_t count) const {
    std::vector<std::string_view> segments(count);
    for (std::size_t i = 0; i < count; ++i) segments[i] = segments_.at(static_cast<std::size_t>(rows[i]));
    return {std::move(segments), owner_};
  }

 private:
  std::vector<std::string_view> segments_;
  std::shared_ptr<const void> owner_;
};

}  // namespace understudy
