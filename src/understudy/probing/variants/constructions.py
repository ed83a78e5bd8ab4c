"""The constructions of Callison-Burch et al. 2006, section 3, by name."""

from __future__ import annotations

from understudy.probing.variants.candidates import Construction
from understudy.probing.variants.permuted_blocks import permuted_blocks
from understudy.probing.variants.reference_ngrams import reference_ngrams
from understudy.probing.variants.replaced_words import replaced_words

CONSTRUCTIONS: dict[str, Construction] = {
    "permuted blocks": permuted_blocks,
    "replaced words": replaced_words,
    "reference n-grams": reference_ngrams,
}
