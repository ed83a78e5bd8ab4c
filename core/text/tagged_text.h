// Text in which every word carries a tag, such as "the_DT cat_NN": its words and its tags apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/column.h"

namespace understudy {

struct Tagged {
  Column words;
  Column tags;
  struct Untagged {
    std::size_t segment;
    std::string token;
  };
  std::optional<Untagged> untagged;  // the first token that is not a word and a tag; the rest is then void
};

// Cuts every token at the last separator in it.
Tagged split_tagged(const Column& text, std::string_view separator);

}  // namespace understudy
