// Porter's stemmer for English (Porter 1980: An algorithm for suffix stripping), with the changes that NLTK
// makes to it by default: irregular words, and rules for -ied, -ies, -y, -alli, -fulli and -logi. ROUGE needs
// these.
#pragma once

#include <cstddef>

namespace understudy {

// Stems a word of ASCII letters in lower case and digits where it lies, and returns its new length. It never
// grows.
std::size_t porter_stem(char* word, std::size_t length);

}  // namespace understudy
