"""How well a model parses: tags, constituents and dependencies of the treebank, given its words and sentences.

Constituents are counted as evalb does with COLLINS.prm: labeled spans of more than the parts of speech, the
outer ROOT left out, punctuation taken out before spans are counted, PRT the same as ADVP; all sentences, pooled.
Dependencies are those of Collins' head rules, unlabeled, without punctuation.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from treebank import Sentence

from understudy.syntax.english import encoded_sentences, tree_of
from understudy.syntax.head_rules import dependencies
from understudy.syntax.trees import ConstituentTree

# What COLLINS.prm deletes, and the full stop, which later parameter files delete too.
DELETED = frozenset({",", ":", "``", "''", "."})


def score_report(nlp: Any, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Scores in percent, and sentences per second."""
    docs = [known_words(nlp, sentence) for sentence in sentences]
    started = time.perf_counter()
    predicted = [tree_of(encoded_sentences(doc)[0]) for doc in nlp.pipe(docs, batch_size=64)]
    seconds = time.perf_counter() - started
    right_tags = words = right_heads = headed = right_exact = 0
    brackets: Counter[str] = Counter()
    for sentence, tree in zip(sentences, predicted, strict=True):
        tags = [tree.labels[leaf] for leaf in tree.leaves]
        right_tags += sum(a == b for a, b in zip(sentence.tags, tags, strict=True))
        words += len(tags)
        gold, found = dependencies(sentence.tree).heads, dependencies(tree).heads
        counted = [place for place, tag in enumerate(sentence.tags) if tag not in DELETED]
        right_heads += sum(gold[place] == found[place] for place in counted)
        headed += len(counted)
        skipped = [tag in DELETED for tag in sentence.tags]
        ours, theirs = spans(tree, skipped), spans(sentence.tree, skipped)
        brackets["found"] += ours.total()
        brackets["gold"] += theirs.total()
        brackets["right"] += (ours & theirs).total()
        right_exact += ours == theirs
    return {
        "tags": round(100 * right_tags / words, 2),
        "precision": round(100 * brackets["right"] / brackets["found"], 2),
        "recall": round(100 * brackets["right"] / brackets["gold"], 2),
        "F1": round(200 * brackets["right"] / (brackets["found"] + brackets["gold"]), 2),
        "exact": round(100 * right_exact / len(sentences), 2),
        "UAS": round(100 * right_heads / headed, 2),
        "sentences per second": round(len(sentences) / seconds),
    }


def known_words(nlp: Any, sentence: Sentence) -> Any:
    """The sentence for spaCy, its words and its ends given."""
    from spacy.tokens import Doc

    doc = Doc(nlp.vocab, words=sentence.words, spaces=list(sentence.space_after))
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def spans(tree: ConstituentTree, skipped: Sequence[bool]) -> Counter[tuple[str, int, int]]:
    """The labeled spans of the constituents, in words that are not skipped; those that hold none do not count."""
    first: list[int | None] = [None] * len(tree.labels)
    last = [0] * len(tree.labels)
    place = 0
    for leaf, skip in zip(tree.leaves, skipped, strict=True):
        if not skip:
            first[leaf], last[leaf] = place, place + 1
            place += 1
    for node in range(len(tree.labels) - 1, 0, -1):
        parent = tree.parents[node]
        start = first[node]
        if start is not None:
            first[parent] = start  # the leftmost child comes last
            last[parent] = max(last[parent], last[node])
    return Counter(
        ("ADVP" if label == "PRT" else label, start, end)
        for label, word, start, end in zip(tree.labels, tree.words, first, last, strict=True)
        if word is None and start is not None
    )


def split_report(nlp: Any, sentences: Sequence[Sentence]) -> dict[str, float]:
    """F1 of the words and of the sentences found in the raw text of whole paragraphs, in percent."""
    paragraphs: list[list[Sentence]] = []
    for sentence in sentences:
        if sentence.starts_paragraph or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
    counts: Counter[str] = Counter()
    texts = ["".join(map(raw_text, paragraph)).rstrip() for paragraph in paragraphs]
    for paragraph, doc in zip(paragraphs, nlp.pipe(texts), strict=True):
        found = {
            "words": {(token.idx, token.idx + len(token)) for token in doc},
            "sentences": {(sentence.start_char, sentence.end_char) for sentence in doc.sents},
        }
        gold: dict[str, set[tuple[int, int]]] = {"words": set(), "sentences": set()}
        start = 0
        for sentence in paragraph:
            place = start
            for word, space in zip(sentence.words, sentence.space_after, strict=True):
                gold["words"].add((place, place + len(word)))
                place += len(word) + space
            gold["sentences"].add((start, start + len(raw_text(sentence).rstrip())))
            start = place
        for kind, spans_found in found.items():
            counts[f"right {kind}"] += 2 * len(spans_found & gold[kind])
            counts[f"all {kind}"] += len(spans_found) + len(gold[kind])
    return {
        kind: round(100 * counts[f"right {kind}"] / counts[f"all {kind}"], 2)
        for kind in ("words", "sentences")
    }


def raw_text(sentence: Sentence) -> str:
    return "".join(
        word + " " * space for word, space in zip(sentence.words, sentence.space_after, strict=True)
    )
