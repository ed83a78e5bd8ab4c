"""WordNet from the database of the package `wn`."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from understudy.errors import MissingExtra, MissingFile
from understudy.lexicon.wordnet import PARTS, WordNet

_PART_OF = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}


def wn_wordnet(lexicon: str = "") -> WordNet:
    """The lexicon of that name, such as omw-en:1.4; without a name, the first English lexicon in the database."""
    try:
        import wn
    except ImportError:
        raise MissingExtra("synonyms=wn needs the package wn: pip install wn") from None
    if not lexicon:
        found = english_lexicons()
        if not found:
            raise MissingFile(
                "wn's database has no English WordNet. Download one: python -m wn download omw-en:1.4"
            )
        lexicon = found[0]
    try:
        return _read(wn.Wordnet(lexicon), lexicon)
    except wn.Error:
        raise MissingFile(
            f"wn's database has no lexicon '{lexicon}'. Download it: python -m wn download {lexicon}"
        ) from None


def english_lexicons() -> list[str]:
    """The names of the installed English lexicons; empty if wn is not installed."""
    try:
        import wn
    except ImportError:
        return []
    return sorted(lexicon.specifier() for lexicon in wn.lexicons(lang="en"))


@functools.lru_cache(maxsize=1)
def _read(source: Any, lexicon: str) -> WordNet:
    sets: dict[str, dict[str, list[int]]] = {part: {} for part in PARTS}
    members: dict[str, dict[int, list[str]]] = {part: {} for part in PARTS}
    bases: dict[str, dict[str, list[str]]] = {part: {} for part in PARTS}
    digest = hashlib.sha256(lexicon.encode())
    for place, synset in enumerate(sorted(source.synsets(), key=lambda synset: str(synset.id))):
        part = _PART_OF.get(synset.pos)
        if part is None:
            continue
        words = [lemma.replace(" ", "_") for lemma in synset.lemmas()]
        members[part][place] = words
        for word in words:
            sets[part].setdefault(word.lower(), []).append(place)
        digest.update("\n".join([part, *words, ""]).encode())
    for word in source.words():
        part = _PART_OF.get(word.pos)
        base, *irregular = (str(form).replace(" ", "_").lower() for form in word.forms())
        for form in irregular if part else ():
            bases[str(part)].setdefault(form, []).append(base)
    return WordNet(sets, members, bases, digest.hexdigest()[:12])
