"""The METEOR program itself: its jar and English data from pycocoevalcap, run by Java; and text to try it on."""

from __future__ import annotations

import gzip
import importlib.util
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from material.hostile import PIECES
from understudy import METEOR
from understudy.metrics.base.meteor_tasks import STAGES

Pair = tuple[str, list[str]]  # a hypothesis and its references

# Java 17 has Unicode 13: characters of later versions have no lower case there.
LATER_THAN_JAVA = re.compile("[\U00010570-\U000105bf\u2c2f\u2c5f\ua7c0-\ua7cf\ua7d0-\ua7dc]")

_SPEC = importlib.util.find_spec("pycocoevalcap")
HOME = Path(next(iter(_SPEC.submodule_search_locations or ["."])), "meteor") if _SPEC else Path("nowhere")
JAR = HOME / "meteor-1.5.jar"

needs_meteor_data = pytest.mark.skipif(
    not JAR.is_file(), reason="METEOR's data are missing: pip install pycocoevalcap"
)
needs_meteor = pytest.mark.skipif(
    not JAR.is_file() or shutil.which("java") is None,
    reason="METEOR's program needs Java and pycocoevalcap: apt-get install default-jre-headless, "
    "pip install pycocoevalcap",
)


def counted_by_java(pairs: list[Pair], *options: str) -> NDArray[np.int64]:
    """METEOR's 23 numbers of each pair, for the best reference."""
    lines = [" ||| ".join(["SCORE", *references, hypothesis]) for hypothesis, references in pairs]
    assert not any("\n" in line or "\r" in line for line in lines)
    found = [list(map(float, line.split())) for line in answers(lines, *options)]
    rows = np.array(found, dtype=np.int64)
    assert rows.shape == (len(pairs), 23)
    assert (rows == np.array(found)).all()
    return rows


def scored_by_java(rows: NDArray[np.int64], *options: str) -> tuple[list[float], float]:
    """The scores of such numbers, each alone and all together."""
    # It reads its paraphrases even where it needs none: an empty file is read at once.
    with tempfile.TemporaryDirectory() as folder:
        nothing = Path(folder, "nothing.gz")
        nothing.write_bytes(gzip.compress(b""))
        return _scored_by_java(rows, *options, "-a", str(nothing))


def _scored_by_java(rows: NDArray[np.int64], *options: str) -> tuple[list[float], float]:
    line = " ||| ".join(["EVAL", *(" ".join(f"{number:.1f}" for number in row) for row in rows)])
    *alone, together = map(float, answers([line], *options))
    return alone, together


def answers(lines: list[str], *options: str) -> list[str]:
    command = ["java", "-Xmx3G", "-Dfile.encoding=UTF-8", "-jar", str(JAR), "-", "-", "-stdio", *options]
    run = subprocess.run(
        command, input="\n".join([*lines, ""]), capture_output=True, encoding="utf-8", check=True
    )
    return run.stdout.split("\n")[:-1]


def as_counted_here(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """With 0 chunks for a pair that matches whole, in one: METEOR leaves that one out when it scores and sums."""
    rows = rows.copy()
    whole = (rows[:, 4:20:2].sum(axis=1) == rows[:, 0]) & (rows[:, 5:20:2].sum(axis=1) == rows[:, 1])
    rows[whole & (rows[:, 20] == 1), 20] = 0
    return rows


def compare(metric: METEOR, pairs: list[Pair], *options: str) -> None:
    """Every number that scores are made of, and the scores, of the program with these options."""
    assert not any(LATER_THAN_JAVA.search(text) for pair in pairs for text in (pair[0], *pair[1]))
    theirs = counted_by_java(pairs, *options)
    statistics = metric.statistics(*map(list, zip(*pairs, strict=True)))
    different = np.flatnonzero((statistics.array != by_stage(as_counted_here(theirs), metric)).any(axis=1))
    assert [(pairs[i], statistics.array[i].tolist(), theirs[i].tolist()) for i in different[:3]] == []

    alone, together = scored_by_java(theirs, *options)
    assert metric.segment_scores(statistics) / 100 == pytest.approx(alone, rel=1e-12, abs=1e-15)
    assert metric.corpus_score(statistics).fraction == pytest.approx(together, rel=1e-12)


def by_stage(rows: NDArray[np.int64], metric: METEOR) -> NDArray[np.int64]:
    """With the numbers of each stage in its own place: the program numbers only those that were asked for."""
    placed = rows.copy()
    placed[:, 4:20] = 0
    for i, stage in enumerate(metric.chosen_stages):
        at = 4 + 4 * STAGES.index(stage)
        placed[:, at : at + 4] = rows[:, 4 + 4 * i : 8 + 4 * i]
    return placed


# --- text ------------------------------------------------------------------------------------------------------

_ENGLISH = """
the the the a of to in and , . is was for on that with he it as his they be at from this have or had by not but what
all were when we there can an your which their said if do will each about how up out them then she many some so these
would other into has more her two like him see time could no make than first been its who now people my made over did
down only way find use may long little very after words called just where most know get through back much before go
good new write our used me man too any day same right look think also around another came come work three word must
because does part even place well such here take why things help put years different away again off went old number
run runs running ran runner buy bought buying purchase purchased purchases car cars automobile automobiles large big
huge report reports reported according accordance rose increase increased increasing growth rise quickly fast rapid
children child kids boy boys men man woman women person persons people house houses home buildings building began start
started starting beginning commence finish finished completed end ended ends die died dying dead death killed happy
glad pleased sad unhappy don't can't won't it's John's he'd they're we've I'm isn't U.S. e.g. Mr. Dr. No. etc. 1,000
3.5 $5 50% 1990s mid-1990s well-known state-of-the-art co-operation email e-mail -- ... " ' ( ) ; : ? !
in order to , as well as , with regard to , a number of , in addition to , on the other hand , at the same time ,
"""
ENGLISH = _ENGLISH.split()

PHRASES = [
    "in order to", "so as to", "as well as", "and also", "with regard to", "concerning", "a number of", "several",
    "in addition to", "besides", "on the other hand", "at the same time", "simultaneously", "as soon as possible",
    "the fact that", "due to", "because of", "in spite of", "despite", "for example", "for instance", "of course",
    "take into account", "consider", "member states", "the united states", "prime minister", "last year",
]  # fmt: skip

# Words and phrases that match by stem, synonym or paraphrase.
RELATED = [
    ["run", "runs", "running", "ran"], ["buy", "bought", "buying", "purchase", "purchased"],
    ["large", "big", "huge"], ["car", "cars", "automobile", "automobiles"], ["child", "children", "kids"],
    ["start", "began", "starting", "commence"], ["house", "houses", "home", "building"],
    ["report", "reports", "reported"], ["fast", "quickly", "rapid"], ["man", "men", "person", "people"],
    ["finish", "finished", "end", "ended"], ["increase", "increasing", "rise", "rose"],
    ["in order to", "so as to", "to"], ["as well as", "and also", "and"], ["a number of", "several", "many"],
    ["because of", "due to"], ["for example", "for instance"], ["at the same time", "simultaneously"],
]  # fmt: skip
_GROUP = {word: group for group in RELATED for word in group}

# METEOR folds case by Java's Unicode, and the last sigma of a word by Java's idea of a word.
_STRANGE = [piece for piece in PIECES if not set(piece) & set("\n\r|Σς")]


def hostile_pairs(count: int, seed: int) -> list[Pair]:
    """Pairs of damaged copies: of English that has synonyms and paraphrases, of strange words, of few words often
    repeated; some empty, some of one word, some with several references.
    """
    rng = random.Random(seed)

    def vocabulary() -> list[str]:
        kind = rng.random()
        if kind < 0.15:
            return rng.sample(ENGLISH, 4)  # the same few words again and again
        if kind < 0.3:
            return ["".join(rng.choices(_STRANGE, k=rng.randint(1, 4))) for _ in range(12)]
        strange = ["".join(rng.choices(_STRANGE, k=rng.randint(1, 3))) for _ in range(2)]
        related = [word for group in rng.sample(RELATED, 4) for word in group]
        return [*rng.sample(ENGLISH, 16), *rng.sample(PHRASES, 4), *related, *strange]

    def altered(word: str, known: list[str]) -> str:
        chance = rng.random()
        return rng.choice(known if chance < 0.2 else _GROUP.get(word, [word]) if chance < 0.6 else [word])

    def damaged(words: list[str], known: list[str]) -> list[str]:
        kept = [altered(word, known) for word in words if rng.random() > 0.1]
        at = rng.randrange(len(kept) + 1)
        return kept[at:] + kept[:at] if rng.random() < 0.3 else kept

    def text(words: list[str]) -> str:
        line = rng.choice((" ", " ", " ", " ", "", "-")).join(words)
        if rng.random() < 0.1:
            line = line.upper()
        # The program takes these from the ends of what it reads.
        return line.strip("".join(map(chr, range(33)))).replace("Σ", "")

    pairs: list[Pair] = []
    for _ in range(count):
        known = vocabulary()
        words = rng.choices(known, k=rng.choice((0, 1, 2, 3, 5, 8, 13, 20, 30)))
        references = [text(damaged(words, known)) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        pairs.append((text(rng.choice((words, damaged(words, known)))), references))
    return pairs
