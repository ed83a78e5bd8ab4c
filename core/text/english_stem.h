// The English stemmer of Snowball, "Porter 2", as it was until 2023.
#pragma once

#include <string>

namespace understudy {

// Replaces a word, in lower case, by its stem. METEOR 1.5 uses these rules; Snowball 3 has changed some since
// (added: here ad, there add), so that its current packages give other stems.
void stem_english(std::u16string& word);

}  // namespace understudy
