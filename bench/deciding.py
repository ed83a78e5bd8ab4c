"""How fast candidates are compared: pairwise and aggregated utilities, and Self-BLEU, beside the peers.

python bench/deciding.py            256 x 256 candidates of 25 words, Self-BLEU of 10,000 texts
python bench/deciding.py --quick    Self-BLEU of 1,000 texts

From Python lists to scores, on one core: CPU time, the best of several runs, everything included. Candidates are
outputs of WMT systems where ../shared/data is, else the examples. "Different" ones are of different segments, as
hard as it gets; "similar" ones are of one segment, the start of one system's output with the end of another's, as
candidates of minimum Bayes risk decoding are. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import itertools
import os
import random
import sys
from typing import Any

import numpy as np

from processes import best_call
from text import ROOT, read_lines
from understudy import BLEU, CHRF, TER, metric
from understudy.metrics.base.utilities import group_utilities

SIDE = 256  # candidates, and as many references
WORDS = 25
TEXTS = 10_000  # of Self-BLEU
PAIRS_OF_SACREBLEU = 2_000  # which is slow
PAIRWISE_TARGET = 1_000_000  # pairs a second
METRICS = {"chrF": CHRF(), "chrF++": CHRF(word_order=2), "BLEU": BLEU(tokenize="13a")}


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="Self-BLEU of a tenth of the texts")
    quick = arguments.parse_args().quick
    if hasattr(os, "sched_setaffinity"):  # not on macOS and Windows
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    outputs = systems_outputs()
    sets = {"different": different(outputs), "similar": similar(outputs)}
    for name, texts in sets.items():
        print(f"{SIDE} x {SIDE} {name} candidates, about {WORDS} words each, on one core:")
        pairwise_rows(texts[:SIDE], texts[SIDE:])
        aggregated_rows(texts[:SIDE], texts[SIDE:])
    many_segments_row(outputs)
    self_bleu_row(outputs, TEXTS // 10 if quick else TEXTS)


def pairwise_rows(candidates: list[str], references: list[str]) -> None:
    pairs = len(candidates) * len(references)
    fastchrf = peer("fastchrf")
    for name, known in METRICS.items():
        ours, found = best_call(5, lambda known=known: known.pairwise(candidates, references, threads=1))
        line = f"  pairwise {name}: {rate(pairs, ours)} (target: {PAIRWISE_TARGET:,})"
        if fastchrf and name == "chrF":
            seconds, theirs = best_call(1, lambda: fastchrf.pairwise_chrf([candidates], [references]))
            same_scores("fastchrf", found, np.array(theirs[0]))
            line += f"; fastchrf {rate(pairs, seconds)}, {seconds / ours:,.0f} x"
        print(line + sacrebleu_part(name, found, candidates, references, ours / pairs))
        ours, _ = best_call(5, lambda known=known: known.pairwise(candidates, threads=1))
        print(f"    candidates as their own references: {rate(len(candidates) ** 2, ours)}")
    few = candidates[:64]
    ours, _ = best_call(3, lambda: TER().pairwise(few, threads=1))
    print(f"  pairwise TER, each pair counted as a segment: {rate(len(few) ** 2, ours)}")


def sacrebleu_part(
    name: str, found: Any, candidates: list[str], references: list[str], seconds_per_pair: float
) -> str:
    sacrebleu = peer("sacrebleu")
    if not sacrebleu:
        return ""
    theirs = {
        "chrF": sacrebleu.CHRF(),
        "chrF++": sacrebleu.CHRF(word_order=2),
        "BLEU": sacrebleu.BLEU(effective_order=True),
    }[name]
    rows = max(1, PAIRS_OF_SACREBLEU // len(references))
    pairs = list(itertools.product(candidates[:rows], references))
    seconds, scores = best_call(1, lambda: [theirs.sentence_score(c, [r]).score for c, r in pairs])
    same_scores("sacreBLEU", found[:rows].ravel(), np.array(scores))
    return f"; sacreBLEU {rate(len(pairs), seconds)}, {seconds / len(pairs) / seconds_per_pair:,.0f} x"


def aggregated_rows(candidates: list[str], references: list[str]) -> None:
    fastchrf = peer("fastchrf")
    for name, known in METRICS.items():
        ours, found = best_call(
            7,
            lambda known=known: known.expected_utility(candidates, references, aggregated=True, threads=1),
        )
        line = f"  aggregated {name}: {1000 * ours:.1f} ms"
        if fastchrf and name == "chrF":
            seconds, theirs = best_call(5, lambda: fastchrf.aggregate_chrf([candidates], [references]))
            same_scores("fastchrf", found, np.array(theirs[0]))
            line += f"; fastchrf {1000 * seconds:.1f} ms, {seconds / ours:.1f} x (target: no slower)"
        print(line)
    groups = [number % 16 for number in range(len(references))]
    ours, _ = best_call(3, lambda: group_utilities(CHRF(), candidates, references, groups=groups, threads=1))
    print(f"  chrF against 16 aggregated groups of references: {1000 * ours:.1f} ms")


def many_segments_row(outputs: list[list[str]]) -> None:
    """All systems' outputs of every segment, in one call."""
    candidates = [list(of_one) for of_one in zip(*outputs, strict=True)]
    pairs = sum(len(of_one) ** 2 for of_one in candidates)
    ours, _ = best_call(3, lambda: CHRF().expected_utility(candidates, threads=1))
    print(f"{len(candidates):,} segments of {len(outputs)} candidates at once, chrF: {rate(pairs, ours)}")
    short = [["a cat", "the cat"]] * 10_000
    ours, _ = best_call(3, lambda: CHRF().expected_utility(short, threads=1))
    print(f"10,000 segments of two candidates of two words: {1e6 * ours / len(short):.1f} microseconds each")


def self_bleu_row(outputs: list[list[str]], count: int) -> None:
    """By Texygen's definition, which is fast-bleu's too. Its weights are of single precision."""
    found = dict.fromkeys(text for of_system in outputs for text in of_system if len(text.split()) >= 4)
    texts = list(found)[:count]
    ours, scores = best_call(3, lambda: metric("self-bleu:texygen").segments(texts, threads=1))
    line = f"Self-BLEU of {len(texts):,} texts: {ours:.3f} s"
    if fast_bleu := peer("fast_bleu"):
        tokens = [text.split() for text in texts]
        seconds, theirs = best_call(1, lambda: fast_bleu.SelfBLEU(tokens).get_score()[4])
        same_scores("fast-bleu", scores, 100 * np.array(theirs))
        line += f"; fast-bleu {seconds:.2f} s, {seconds / ours:.0f} x (target: 20 x)"
    print(line)


# --- candidates -----------------------------------------------------------------------------------------------


def systems_outputs() -> list[list[str]]:
    folder = ROOT.parent / "shared" / "data" / "wmt23.zh-en" / "systems"
    paths = sorted(folder.iterdir()) if folder.is_dir() else sorted((ROOT / "examples").glob("system-*.en"))
    return [read_lines(path) for path in paths]


def different(outputs: list[list[str]]) -> list[str]:
    """Outputs of so many words; if there are too few, made of words of any."""
    of_length = [text for of_system in outputs for text in of_system if len(text.split()) == WORDS]
    texts = list(dict.fromkeys(of_length))
    generator = random.Random(1)
    words = [word for text in outputs[0] for word in text.split()]
    while len(texts) < 2 * SIDE:
        start = generator.randrange(len(words) - WORDS)
        texts.append(" ".join(words[start : start + WORDS]))
    generator.shuffle(texts)
    return texts[: 2 * SIDE]


def similar(outputs: list[list[str]]) -> list[str]:
    generator = random.Random(2)
    segment = min(
        range(len(outputs[0])),
        key=lambda i: sum(abs(len(of_system[i].split()) - WORDS) for of_system in outputs),
    )
    texts = []
    while len(texts) < 2 * SIDE:
        start, end = (of_system[segment].split() for of_system in generator.choices(outputs, k=2))
        cut = generator.randrange(WORDS)
        texts.append(" ".join([*start[:cut], *end[cut:]]))
    return texts


# --- measuring --------------------------------------------------------------------------------------------------


def rate(pairs: int, seconds: float) -> str:
    return f"{pairs / seconds:,.0f} pairs a second"


def peer(name: str) -> Any:
    """Another package, or None and a line that says so."""
    if importlib.util.find_spec(name) is None:
        if name not in _SAID:
            print(f"  {name.replace('_', '-')}: left out, it is not installed")
        _SAID.add(name)
        return None
    return importlib.import_module(name)


_SAID: set[str] = set()


def same_scores(name: str, ours: Any, theirs: Any) -> None:
    if not np.allclose(ours, theirs, rtol=0, atol=1e-6):
        sys.exit(f"the scores differ from those of {name}: by {np.abs(ours - theirs).max()}")


if __name__ == "__main__":
    main()
