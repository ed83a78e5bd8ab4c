"""METEOR: its parameters, what it refuses and where it finds its data."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path
from typing import Any

import pytest

from material.meteor_program import JAR, needs_meteor_data
from material.optional import needs_packages
from understudy import METEOR, UnderstudyError, metric
from understudy.lexicon import meteor_data
from understudy.lexicon.stems import snowball
from understudy.lexicon.wordnet import wordnet
from understudy.metrics.base.meteor_tasks import LANGUAGES

BARE: dict[str, Any] = {"stages": "exact", "tokenize": "13a", "function_words": "none"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"language": "da"}, "no normalizer for 'da'"),
        ({"language": "de", "task": "adq"}, "task=adq"),
        ({"stages": "stem+exact"}, "in this order"),
        ({"stages": "exact+spelling"}, "exact+stem+synonym+paraphrase"),
        ({"stages": "exact+stem", "weights": (1.0,)}, "expected 2 numbers"),
        ({"alpha": 1.5}, "alpha=1.5"),
        ({"beta": -1.0}, "beta=-1"),
        ({"beam": 0}, "from 1 to 1000"),
        ({"beam": 1001}, "expected an integer from 1 to 1000"),
        ({"weights": (2.0, 2.0, 2.0, 2.0)}, "expected 4 numbers from 0 to 1"),
        ({"tokenize": "13b"}, "unknown tokenizer '13b'"),
        ({"synonyms": "thesaurus"}, "meteor, wordnet, wordnet:FOLDER or wn:LEXICON"),
        ({"stemmer": "porter", "language": "de"}, "use meteor without a preset"),
        ({"alignment": "greedy"}, "not available with paraphrase matching"),
        ({"alignment": "greedy", "stages": "exact+synonym"}, "synonyms=wordnet"),
    ],
)
def test_refused_when_made(settings, said):
    with pytest.raises(UnderstudyError) as caught:
        METEOR(**settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"data": "/no/such/folder"}, "/no/such/folder"),
        ({"function_words": "/no/such/file"}, "no such function word file"),
        pytest.param(
            {"stages": "exact+synonym", "synonyms": "wordnet:/no/such/folder"},
            "no WordNet",
            marks=needs_meteor_data,
        ),
    ],
)
def test_missing_data_are_named(settings, said):
    chosen = METEOR(**{**BARE, "function_words": "meteor", **settings})
    assert said in chosen.missing
    with pytest.raises(UnderstudyError, match=said):
        chosen.corpus(["a"], ["a"])


def test_without_data_it_says_what_works(monkeypatch):
    monkeypatch.setattr(meteor_data, "_installed", lambda: None)
    assert "pip install pycocoevalcap" in METEOR(beam=39).missing
    assert "meteor:no-data" in METEOR(beam=39).missing
    assert metric("meteor:no-data").missing == ""


def test_a_jar_that_is_none(tmp_path):
    broken = tmp_path / "meteor-1.5.jar"
    broken.write_text("no jar")
    assert "cannot be read as METEOR's jar" in METEOR(data=str(broken)).missing
    with zipfile.ZipFile(tmp_path / "meteor-1.6.jar", "w") as jar:
        jar.writestr("nothing.txt", "")
    assert "do not contain function/english.words" in METEOR(data=str(tmp_path / "meteor-1.6.jar")).missing
    assert "cannot be read" in METEOR(data=str(tmp_path)).missing  # the first jar of a folder


def test_paraphrases_that_cannot_be_unpacked(tmp_path):
    path = tmp_path / "paraphrase-en.gz"
    path.write_bytes(gzip.compress(b"0.5\na\nb\n")[:-9] + b"xxxxxxxxxxxx")
    with pytest.raises(UnderstudyError, match="cannot be decompressed"):
        meteor_data.paraphrases(path)


def test_paraphrases_are_read_whole_or_not_at_all(tmp_path):
    pairs = [f"0.5\nword{number}\nother{number}\n".encode() for number in range(60_000)]  # several pieces
    packed = gzip.compress(b"".join(pairs), 1)
    for cut in (0, 2, 15, len(packed) // 2, len(packed) - 1):
        path = tmp_path / f"paraphrase-{cut}.gz"
        path.write_bytes(packed[:cut])
        with pytest.raises(
            UnderstudyError, match=rf"paraphrase-{cut}.gz' is truncated: the gzip data end early"
        ):
            meteor_data.paraphrases(path)
    in_parts = tmp_path / "paraphrase-en.gz"
    in_parts.write_bytes(gzip.compress(b"".join(pairs[:50_000])) + gzip.compress(b"".join(pairs[50_000:])))
    assert len(meteor_data.paraphrases(in_parts)) == 60_000


def test_a_jar_with_a_damaged_file_in_it(tmp_path):
    path = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("function/english.words", "the words")
    path.write_bytes(path.read_bytes().replace(b"the words", b"the sword"))
    with pytest.raises(UnderstudyError, match=r"is damaged: its function/english.words cannot be unpacked"):
        meteor_data.MeteorData(path).read("function/english.words")


@needs_meteor_data
def test_the_same_data_packed_and_unpacked(tmp_path):
    with zipfile.ZipFile(JAR) as jar:
        jar.extractall(
            tmp_path,
            [name for name in jar.namelist() if name.startswith(("function", "nonbreaking", "synonym"))],
        )
    texts = ["Mr. Smith bought cars."], ["Mr. Smith purchases an automobile."]
    packed, unpacked = (
        METEOR(stages="exact+stem+synonym", data=data).corpus(*texts) for data in ("", str(tmp_path))
    )
    assert (packed.value, packed.signature) == (unpacked.value, unpacked.signature)
    changed = tmp_path / "function" / "english.words"
    changed.write_text(changed.read_text() + "\nsmith")
    meteor_data.digest.cache_clear()
    assert (
        METEOR(stages="exact+stem", data=str(tmp_path)).signature() != METEOR(stages="exact+stem").signature()
    )


def test_function_words_from_a_file(tmp_path):
    words = tmp_path / "words"
    words.write_text("The\nof\n")
    chosen = METEOR(**{**BARE, "function_words": str(words)})
    counted = chosen.statistics(["The end of it"], ["the end"])
    assert counted["hyp_function"].item() == 1  # of; words are compared in lower case, as METEOR does
    assert "function:meteor" not in str(chosen.signature())


def test_stages_other_than_exact_are_dropped_where_they_would_start_a_chunk():
    """The example of the reference page: METEOR's search gives single words of such stages no weight."""
    chosen = METEOR(**{**BARE, "stages": "exact+stem"})
    assert chosen.align("runs a running", "b run c")[2] == []
    assert chosen.align("a running", "a run")[2] == [(0, 1, 0, 1, 0), (1, 1, 1, 1, 1)]


@needs_packages("snowballstemmer")
def test_every_language_has_its_parameters():
    for code, language in LANGUAGES.items():
        chosen = METEOR(language=code, stages="exact", tokenize="13a", function_words="none")
        assert chosen.corpus(["a b"], ["a b"]).value == 100
        assert ("rank" if language.tasks else "li") in str(chosen.signature())
        if code != "other" and "stem" in language.stages:
            assert snowball(language.name)[0](["a"]) == ["a"]


def test_wordnet_in_a_zip_file(tmp_path):
    files = {
        "index.noun": "  1 license\ncar n 1 1 @ 1 1 00000010\nautomobile n 1 1 @ 1 0 00000010\n",
        "data.noun": "  1 license\n00000010 06 n 03 car 0 automobile 0 motor_car 0 000 | a thing\n",
        "index.adj": "ready a 1 0 1 0 00000020\n",
        "data.adj": "00000020 00 a 02 ready(p) 0 Prepared 0 000 | so\n",
        "noun.exc": "carz car\n",
    }
    with zipfile.ZipFile(tmp_path / "wordnet.zip", "w") as packed:
        for part in ("noun", "verb", "adj", "adv"):
            for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
                packed.writestr(f"wordnet/{name}", files.get(name, ""))
    found = wordnet(str(tmp_path / "wordnet.zip"))
    assert found.synonyms("cars") == {"cars", "car", "automobile"}
    assert found.synonyms("carz") == {"carz", "car", "automobile"}
    assert found.synonyms("ready") == {"ready", "Prepared"}
    assert found.synonyms("nothing") == {"nothing"}
    chosen = METEOR(**{**BARE, "stages": "exact+synonym", "synonyms": f"wordnet:{tmp_path / 'wordnet.zip'}"})
    assert chosen.align("a carz", "a automobile")[2] == [(0, 1, 0, 1, 0), (1, 1, 1, 1, 2)]
    with pytest.raises(UnderstudyError, match="no WordNet"):
        wordnet(str(Path(tmp_path, "other")))


def test_long_segments_do_not_blow_up():
    words = ["the"] * 5000
    other = ["the"] * 4000 + ["a"] * 1000
    chosen = METEOR(**{**BARE, "stages": "exact+stem"})
    counted = chosen.statistics([" ".join(words)], [" ".join(other)])
    assert counted["hyp_matches"].item() == 4000
    assert counted["chunks"].item() == 1


LEXICON = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.0.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
<Lexicon id="tiny" label="Tiny" language="en" email="none" license="none" version="1">
<LexicalEntry id="w1"><Lemma writtenForm="child" partOfSpeech="n"/><Form writtenForm="children"/>
<Sense id="s1" synset="tiny-1-n"/></LexicalEntry>
<LexicalEntry id="w2"><Lemma writtenForm="kid" partOfSpeech="n"/><Sense id="s2" synset="tiny-1-n"/></LexicalEntry>
<LexicalEntry id="w3"><Lemma writtenForm="run" partOfSpeech="v"/><Sense id="s3" synset="tiny-2-v"/></LexicalEntry>
<Synset id="tiny-1-n" ili="" partOfSpeech="n"/>
<Synset id="tiny-2-v" ili="" partOfSpeech="v"/>
</Lexicon></LexicalResource>"""


def test_wordnet_in_the_database_of_wn(tmp_path, monkeypatch):
    """A form that a word lists beside its lemma is an irregular one, and finds the lemma's synonyms."""
    wn = pytest.importorskip("wn")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "database")
    (tmp_path / "tiny.xml").write_text(LEXICON, encoding="utf-8")
    wn.add(tmp_path / "tiny.xml", progress_handler=None)
    chosen = METEOR(**{**BARE, "stages": "exact+synonym", "synonyms": "wn:tiny:1"})
    outputs, references = ["the kid", "the children", "the run"], ["the child"] * 3
    kid, children, run = chosen.segments(outputs, references).tolist()
    assert [run] * 3 == METEOR(**BARE).segments(outputs, references).tolist()
    assert kid == children > run
    assert not chosen.missing
    unknown = METEOR(**{**BARE, "stages": "exact+synonym", "synonyms": "wn:tiny:2"})
    assert "python -m wn download tiny:2" in unknown.missing


def test_a_language_without_a_stemmer_is_refused_in_one_line():
    pytest.importorskip("snowballstemmer")
    chosen = METEOR.preset("no-data", language="cz", tokenize="13a")
    assert chosen.missing == "Snowball has no stemmer for 'czech'. Remove 'stem' from stages."
    with pytest.raises(UnderstudyError, match="no stemmer for 'czech'"):
        chosen.corpus(["a"], ["a"])


def test_function_words_that_are_not_utf8_are_refused_in_one_line(tmp_path):
    path = tmp_path / "words"
    path.write_bytes("the\nà\n".encode("latin-1"))
    chosen = METEOR.preset("no-data", function_words=str(path))
    with pytest.raises(UnderstudyError, match="words', line 2: byte 0xe0 at offset 4 is not UTF-8"):
        chosen.corpus(["a"], ["a"])
    path.write_text("the\nà\n", encoding="utf-8")
    assert chosen.statistics(["the à b"], ["b"])["hyp_function"].tolist() == [2]
