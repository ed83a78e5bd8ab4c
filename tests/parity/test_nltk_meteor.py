"""METEOR's preset `nltk` against NLTK's own, live and by golden numbers; its stemmer; WordNet read from its files.

WordNet is where a machine has it (see `understudy.lexicon.wordnet`), or where UNDERSTUDY_TEST_WORDNET says.
"""

from __future__ import annotations

import os
import random
import shutil
import warnings
from pathlib import Path

import pytest

pytest.importorskip("nltk")
import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score

from material.golden import corpus_rows, needs_golden, read, table
from material.meteor_program import ENGLISH, PHRASES, hostile_pairs, needs_meteor_data
from material.wmt import Sample, System, every_system_into_english
from understudy import METEOR, UnderstudyError
from understudy._core import SynonymTable
from understudy.lexicon import meteor_data
from understudy.lexicon.stems import porter
from understudy.lexicon.wordnet import PARTS, wordnet

FOLDER = os.environ.get("UNDERSTUDY_TEST_WORDNET", "")
SPEC = f"wordnet:{FOLDER}" if FOLDER else "wordnet"


def ours() -> METEOR:
    return METEOR.preset("nltk", synonyms=SPEC, language="en")


def _no_wordnet() -> str:
    try:
        wordnet(FOLDER)
    except UnderstudyError as error:
        return str(error)
    return ""


needs_wordnet = pytest.mark.skipif(bool(_no_wordnet()), reason=_no_wordnet())


@needs_wordnet
def test_endings_are_taken_off_once():
    """So that assess, the stem of assessment, is no kind of ass."""
    (score,) = ours().segments(["assessment"], ["bottom"])
    assert score == 0
    assert "bottom" not in wordnet(FOLDER).synonyms("assess")


def test_the_stemmer():
    """On English words with all the endings that its rules know."""
    rng = random.Random(4)
    known = """ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness
    aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment
    ent ion ou ism ate iti ous ive ize sses ies ss s eed ed ing ied y e ll at bl iz"""
    endings = known.split()
    letters = "aeiouybcdfglmnprstvwxz'é"
    made_up = [
        "".join(rng.choices(letters, k=rng.randint(0, 5)))
        + "".join(rng.choices(endings, k=rng.randint(0, 3)))
        for _ in range(20_000)
    ]
    words = [word for word in [*ENGLISH, *" ".join(PHRASES).split(), *made_up] if word]
    theirs = PorterStemmer()
    assert [porter(word) for word in words] == [theirs.stem(word) for word in words]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """NLTK on the same WordNet. Two of the files that it opens, but does not need here, are not in wordnet-base."""
    source = Path(FOLDER or "/usr/share/wordnet")
    if not source.is_dir():
        pytest.skip("NLTK is pointed at a folder, and this WordNet is packed")
    root = tmp_path_factory.mktemp("nltk")
    folder = root / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for part in PARTS:
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            shutil.copy(source / name, folder)
    (folder / "index.sense").touch()
    (folder / "lexnames").write_text("".join(f"{i:02}\ttopic{i}\t1\n" for i in range(45)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(root)])  # NLTK reads data from where it was told to only
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions")
            found = WordNetCorpusReader(str(folder), None)
        yield found


def compare(hypotheses: list[str], references: list[list[str]], reader: WordNetCorpusReader) -> None:
    expected = [
        100 * meteor_score([reference.split() for reference in group], hypothesis.split(), wordnet=reader)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    assert ours().segments(hypotheses, references) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@needs_wordnet
def test_live_on_hostile_pairs(reader):
    pairs = [pair for pair in hostile_pairs(3_000, seed=6) if "İ" not in "".join([pair[0], *pair[1]])]
    assert len(pairs) > 2_500
    compare([hypothesis for hypothesis, _ in pairs], [references for _, references in pairs], reader)


@needs_wordnet
@every_system_into_english
def test_real_systems(system: System, reader, sample: Sample):
    """A sample of the segments, with all references of the set."""
    compare(*system.segments(sample(40, first=system.number)), reader)


@needs_golden
@needs_wordnet
def test_golden():
    metric = ours()
    places = set()
    rows = [row for row in table("segments_nltk") if row["metric"] == "METEOR-nltk"]
    for row in rows:
        places.add((row["set"], row["system"], row["refs"]))
    for place in places:
        scores = metric.segments(*read(place, "tok13a"))
        expected = [
            100 * float(row["value"]) for row in rows if (row["set"], row["system"], row["refs"]) == place
        ]
        assert scores == pytest.approx(expected, rel=1e-12, abs=1e-12), place
    assert len(rows) == 1_424
    means = corpus_rows("nltk-3.10.4", "tok13a,wn3.0", "METEOR-nltk")
    for row in means:
        text = read((row["set"], row["system"], row["refs"]), "tok13a")
        assert metric.mean(*text).fraction == pytest.approx(float(row["value"]), rel=1e-12)
    assert len(means) == 14


@needs_wordnet
@needs_meteor_data
def test_wordnet_in_the_place_of_meteors_table():
    """METEOR's synonyms are WordNet 3.0's, but for sets of different parts of speech that have the same number."""
    own = meteor_data.synonyms(meteor_data.meteor_data(""), "english")
    found = wordnet(FOLDER).table
    assert isinstance(found, SynonymTable)
    assert len(found) == len(own)
    pairs = hostile_pairs(2_000, seed=7)
    texts = tuple(map(list, zip(*pairs, strict=True)))
    scores = [
        METEOR(stages="exact+stem+synonym", synonyms=synonyms).corpus(*texts).value
        for synonyms in ("meteor", SPEC)
    ]
    assert scores[0] == pytest.approx(scores[1], rel=1e-3)


@needs_wordnet
@pytest.mark.parametrize(("part", "letter"), [("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")])
def test_antonyms_and_hypernyms_of_the_first_sense(reader, part, letter):
    ours = wordnet(FOLDER)
    words = sorted(ours.sets[part])
    for word in random.Random(1).sample(words, 2_000):
        sense = reader.synset_from_pos_and_offset(letter, ours.sets[part][word][0])
        lemmas = [lemma for lemma in sense.lemmas() if lemma.name().lower() == word]
        antonyms = [antonym.name() for lemma in lemmas for antonym in lemma.antonyms()]
        hypernyms = [name for hypernym in sense.hypernyms() for name in hypernym.lemma_names()]
        assert sorted(ours.antonyms(word, part)) == sorted(antonyms)
        assert sorted(ours.hypernyms(word, part)) == sorted(hypernyms)
