"""The part-of-speech tags of the Penn Treebank: which are punctuation, and the universal tag of each.

Marcus, Santorini and Marcinkiewicz (1993), with the later additions HYPH, AFX, ADD, NFP, GW and XX of the English
Web Treebank. The universal tags are those of Universal Dependencies, as far as a tag alone decides.
"""

from __future__ import annotations

PUNCTUATION = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "HYPH", "NFP"})

_COARSE = {
    tag: coarse
    for coarse, tags in {
        "ADJ": "JJ JJR JJS AFX",
        "ADP": "IN RP",
        "ADV": "RB RBR RBS WRB",
        "AUX": "MD",
        "CCONJ": "CC",
        "DET": "DT PDT WDT",
        "INTJ": "UH",
        "NOUN": "NN NNS",
        "NUM": "CD",
        "PART": "POS TO",
        "PRON": "PRP PRP$ WP WP$ EX",
        "PROPN": "NNP NNPS",
        "PUNCT": " ".join(sorted(PUNCTUATION)),
        "SYM": "$ # SYM",
        "VERB": "VB VBD VBG VBN VBP VBZ",
        "X": "FW LS ADD GW XX",
    }.items()
    for tag in tags.split()
}


def coarse_tag(tag: str) -> str:
    """The universal tag of a Penn tag; X for one that is not known.

    >>> [coarse_tag(tag) for tag in ("VBD", "VBP", "DT", "unheard-of")]
    ['VERB', 'VERB', 'DET', 'X']
    """
    return _COARSE.get(tag, "X")
