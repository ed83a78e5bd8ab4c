// The text that trees are of.
#pragma once

#include "text/column.h"
#include "tree/segment_trees.h"

namespace understudy {

// Of every segment, whose trees are known to be well formed. Brackets: the words with spaces between them,
// brackets and quotes as they stood in the text. CoNLL-U: what a comment `# text = ` says of a sentence; else
// its words, with spaces where they say so, and multi-word tokens in place of the words they are made of.
Column text_of_trees(const Column& trees, const TreeReading& reading);

}  // namespace understudy
