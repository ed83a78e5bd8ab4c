// Porter's stemmer for English (Porter 1980: An algorithm for suffix stripping), with the changes that NLTK
// makes to it by default: irregular words, and rules for -ied, -ies, -y, -alli, -fulli and -logi. ROUGE and
// NLTK's METEOR need these.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace understudy {

// Stems a word of ASCII letters in lower case and digits where it lies, and returns its new length. It never
// grows.
std::size_t porter_stem(char* word, std::size_t length);

// The stem of any word in lower case, in UTF-8. A letter that is not of English counts as a consonant.
std::string porter_stem(std::string_view word);

}  // namespace understudy
