"""`understudy compare --breakdown` and `--references-study`, in every format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

NAMES = ["strong", "medium", "weak"]
SYSTEMS = [f"{name}=system-{name}.en" for name in NAMES]
TWO = ["-r", "reference-1.en", "-r", "reference-2.en"]
TEXTS = ["compare", *SYSTEMS, *TWO]
WHOLE = [*TEXTS, "--samples", "50"]

pytestmark = pytest.mark.usefixtures("examples")


def test_the_table_shows_where_systems_differ(run) -> None:
    text = run(*WHOLE, "--breakdown", "--labels", "documents.tsv", "--top", "2").stdout
    for title in (
        "mean reference length",
        "length difference, strong",
        "difficulty (mean segment",
        "document",
        "word frequency in",
        "n-grams matched more often",
        "n-grams matched less often",
    ):
        assert any(line.startswith(title) for line in text.splitlines()), title
    assert text.count("[matched n-grams] in brackets") == 2
    assert (
        text.count("ranked by the difference in segment score times the reference length in characters.") == 1
    )
    assert "coffee-machine        10   62.40" in text
    assert run(*WHOLE).stdout in text  # what was found comes first, unchanged


def test_the_study_of_references_says_what_it_found(run) -> None:
    text = run(*WHOLE, "--references-study", "--draws", "3").stdout
    assert (
        "With 1 of 2 references, the ranking by BLEU is the same as with all references in all 3 draws."
        in text
    )
    assert "selected at random for each segment (random seed 12345)" in text
    by_document = run(
        *WHOLE, "--references-study", "--draws", "3", "--labels", "documents.tsv", "--seed", "7"
    ).stdout
    assert "selected at random for each document (random seed 7)" in by_document


def test_json_holds_it_all(run) -> None:
    result = run(*WHOLE, "--breakdown", "--references-study", "--draws", "2", "--top", "3", "-f", "json")
    found = json.loads(result.stdout)
    assert len(found["metrics"][0]["pairs"]) == 2
    assert found["breakdown"]["bucketings"][0]["buckets"][0]["label"] == "0 to 9 words"
    assert len(found["breakdown"]["ngrams"]) == 6  # three that the baseline gets, and three that it misses
    assert set(found["breakdown"]["ngrams"][0]["matches"]) == set(NAMES)
    assert len(found["breakdown"]["segments"]) == 3
    assert [step["references"] for step in found["references_study"][0]["steps"]] == [1, 2]
    alone = json.loads(run(*WHOLE, "-f", "json").stdout)
    assert {name: found[name] for name in alone} == alone


def test_tsv_is_one_table_after_the_other(run) -> None:
    result = run(*WHOLE, "--breakdown", "--references-study", "--draws", "2", "-f", "tsv")
    tables = [
        [line.split("\t") for line in table.split("\n")] for table in result.stdout.rstrip("\n").split("\n\n")
    ]
    assert [table[0][0] for table in tables] == [
        "metric",
        "bucketing",
        "ngram",
        "segment",
        "metric",
        "metric",
    ]
    assert tables[-1][0] == ["metric", "reference", "first", "lead", "tau", "system", "value"]
    for header, *rows in tables:
        assert rows
        assert {len(row) for row in rows} == {len(header)}


def test_precision_is_shown_with_its_own_denominators(run, tmp_path: Path) -> None:
    for name, text in (("ref", "the cat sat\n"), ("a", "the cat sat sat down\n"), ("b", "the cat\n")):
        (tmp_path / name).write_text(text)
    given = ["compare", *(str(tmp_path / name) for name in "ab"), "-r", str(tmp_path / "ref"), "--breakdown"]
    text = run(*given).stdout
    table = text[text.index("word precision") :].split("\n\n")
    rows = [line.split() for line in table[0].splitlines()[2:]]
    assert rows == [["0", "(in", "no", "reference)", "1", "0.00", "0"], ["1", "4", "75.00", "2", "100.00"]]
    assert table[1].startswith("Words: hypothesis words.")
    found = json.loads(run(*given, "-f", "json").stdout)["breakdown"]["bucketings"]
    (precision,) = (one for one in found if one["metric"] == "word precision")
    assert precision["counted"] == "hypothesis words"
    assert precision["buckets"][0] == {
        "label": "0 (in no reference)",
        "segments": 0,
        "scores": {"a": 0.0, "b": None},
        "denominators": {"a": 1, "b": 0},
    }
    tsv = run(*given, "-f", "tsv").stdout.splitlines()
    start = "word frequency in the references\twords\tword precision\t"
    assert [line.removeprefix(start) for line in tsv if line.startswith(start)] == [
        "0 (in no reference)\t1\ta\t0.0",
        "0 (in no reference)\t0\tb\t",
        "1\t4\ta\t75.0",
        "1\t2\tb\t100.0",
    ]
    for format in ("markdown", "latex"):
        assert run(*given, "-f", format).exit_code == 0


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_formats_for_papers(run, format: str) -> None:
    result = run(*WHOLE, "--breakdown", "--references-study", "--draws", "2", "-f", format)
    assert result.exit_code == 0, result.stderr
    assert "landlord" not in result.stdout  # without labels there are no documents
    assert "coffee-machine" in run(*WHOLE, "--breakdown", "--labels", "documents.tsv", "-f", format).stdout


def test_without_a_baseline_any_two_may_differ(run) -> None:
    text = run(*WHOLE, "--breakdown", "--all-pairs").stdout
    assert "n-grams with different" in text
    assert "matched less often" not in text


def test_another_baseline(run) -> None:
    text = run(*WHOLE, "--breakdown", "--baseline", "weak").stdout
    assert "n-grams matched less often" in text
    assert "length difference, weak" in text


def test_words_by_label_and_by_frequency_in_a_training_text(run, tmp_path: Path) -> None:
    lines = Path("reference-1.en").read_text(encoding="utf-8").splitlines()
    (labels := tmp_path / "case.txt").write_text(
        "".join(
            " ".join("capital" if w[0].isupper() else "other" for w in line.split()) + "\n" for line in lines
        )
    )
    one = [
        "compare",
        *SYSTEMS,
        "-r",
        "reference-1.en",
        "--samples",
        "50",
        "--breakdown",
        "--tokenize",
        "none",
    ]
    text = run(*one, "--word-labels", str(labels), "--train", "reference-2.en").stdout
    assert "word label in" in text
    assert "\ncapital " in text
    assert "\nreference-2.en " in text
    told = run(*one[:-1], "13a", "--word-labels", str(labels))
    assert told.exit_code == 2
    assert "use --tokenize none" in told.stderr


def test_every_table_says_what_is_best(run) -> None:
    both = ["--breakdown", "--references-study", "--draws", "2"]
    text = run(*WHOLE, "-m", "length-ratio", *both, "-f", "markdown").stdout
    tables = [line.strip("| ").split(" | ") for line in text.splitlines() if "weak<br>length ratio" in line]
    assert (
        len(tables) == 4
    )  # by length of the references, by own length, by difficulty, by number of references
    for header in tables:
        assert header[-3:] == [f"{name}<br>length ratio → 100" for name in NAMES]


def test_blocks_by_document(run) -> None:
    result = run(*TEXTS, "--test", "blocks", "--by-document", "--labels", "documents.tsv")
    assert "|test:blocks|blocks:documents|" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ["--labels", "documents.tsv"],
            "--labels needs --breakdown, --report, --by-document, --references-study or a metric that uses documents",
        ),
        (["--train", "reference-1.en"], "--train has no effect: add --breakdown or --report"),
        (["--top", "10"], "--top has no effect: add --breakdown or --report, or omit it."),
        (["--breakdown", "--draws", "20"], "--draws has no effect: add --references-study"),
        (["--test", "blocks", "--by-document"], "the files have no document labels"),
        (["--by-document"], "--by-document has no effect: add --test blocks"),
        (["--breakdown", "--labels", "reference.en"], "no such file: 'reference.en'"),
        (["--breakdown", "--baseline", "stong"], "Did you mean 'strong'"),
    ],
)
def test_what_changes_nothing_or_cannot_be_done_is_refused(fails, more: list[str], said: str) -> None:
    assert said in fails(*TEXTS, *more)


def test_scores_without_text_have_no_breakdown(fails, run, tmp_path: Path) -> None:
    (scores := tmp_path / "comet.tsv").write_text("a\tb\n1\t2\n2\t5\n1\t4\n")
    (labels := tmp_path / "docs.txt").write_text("x\ny\ny\n")
    assert "--scores does not contain" in fails("compare", "--scores", str(scores), "--breakdown")
    by_document = ["--test", "blocks", "--by-document"]
    assert "blocks by document need document labels" in fails(
        "compare", "--scores", str(scores), *by_document
    )
    result = run("compare", "--scores", str(scores), *by_document, "--labels", str(labels))
    assert "blocks:documents" in result.stdout


def test_sources_are_shown_beside_the_translations(run) -> None:
    source = ["--breakdown", "--source", "source.de"]
    text = run(*WHOLE, *source, "--top", "1").stdout
    assert re.search(r"\nsource  .*\nreference 1  ", text)
    views = json.loads(run(*WHOLE, *source, "-f", "json").stdout)["breakdown"]["segments"]
    lines = Path("source.de").read_text(encoding="utf-8").splitlines()
    assert all(view["source"] == lines[view["number"] - 1] for view in views)


def test_a_source_that_does_not_fit_is_refused(fails, tmp_path: Path) -> None:
    (short := tmp_path / "short.de").write_text("Stadtbibliothek\n")
    said = fails(*WHOLE, "--breakdown", "--source", str(short))
    assert f"'{short}' has 1 segment, 'system-strong.en' has 60." in said
    assert "--source has no effect: add --breakdown or --report" in fails(*WHOLE, "--source", "source.de")
