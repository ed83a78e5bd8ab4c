// Tercom's tokenization: what happens to a text before its words are split at white space.
#pragma once

#include <string_view>

#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

struct TercomOptions {
  bool normalized = false;    // unescape entities; punctuation and possessives stand alone
  bool asian = false;         // with `normalized` split CJK text, with `no_punct` drop its punctuation too
  bool no_punct = false;      // drop . , ? : ; ! " ( )
  bool as_sacrebleu = false;  // keep what sacreBLEU 2.6.0 does otherwise,
  bool as_java = false;       // or what Tercom does; see tercom.cpp
};

// The text in that case, with white space between its tokens: ASCII's if `as_java`. `rewritten` must not hold
// the text.
std::string_view tercom_text(std::string_view text, unicode::Case letter_case, const TercomOptions& options,
                             Rewritten& rewritten);

}  // namespace understudy
