// Tercom's tokenization: what happens to a text before its words are split at white space.
#pragma once

#include <string>
#include <string_view>

namespace understudy {

struct TercomOptions {
  bool normalized = false;    // unescape entities; punctuation and possessives stand alone
  bool asian = false;         // with `normalized` split CJK text, with `no_punct` drop its punctuation too
  bool no_punct = false;      // drop . , ? : ; ! " ( )
  bool as_sacrebleu = false;  // keep what sacreBLEU 2.6.0 does otherwise; see tercom.cpp
};

// The text with white space between its tokens: itself where nothing is to be done, else rewritten in
// `scratch`, which must not hold the text. Letter case is the caller's.
std::string_view tercom_text(std::string_view text, const TercomOptions& options, std::string& scratch);

}  // namespace understudy
