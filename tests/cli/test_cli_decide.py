"""`understudy decide`: formats, summaries and refusals."""

from __future__ import annotations

import json

import pytest

from material.optional import needs_report
from material.pages import check_addresses, check_nothing_fetched
from understudy import NBest, decide, metric, score
from understudy.report import decision_tables

REFERENCES = ("-r", "reference-1.en", "-r", "reference-2.en")


def test_chosen_translations_one_per_line(examples, run):
    result = run("decide", "nbest.txt", *REFERENCES)
    assert result.exit_code == 0
    found = decide("nbest.txt")
    assert result.stdout == "".join(f"{text}\n" for text in found.texts)
    assert f"{found.changed} of 60 choices differ from the first candidate" in result.stderr
    references = [
        list(group)
        for group in zip(
            *((examples / name).read_text().splitlines() for name in REFERENCES[1::2]), strict=True
        )
    ]
    score = metric("chrf").corpus(found.texts, references).value
    assert f"chosen {score:.2f}, oracle" in result.stderr


def test_pipes_into_score(shell):
    chosen = shell("decide", "nbest.txt", "-q").stdout
    done = shell(
        "score", "-", "-r", "reference-1.en", "-r", "reference-2.en", "-m", "chrf", "-q", input=chosen
    )
    assert done.stdout == b"65.91\n"
    assert not done.stderr


def test_quiet(examples, run):  # noqa: ARG001
    assert not run("decide", "nbest.txt", "-q").stderr


def test_formats(examples, run, tmp_path):  # noqa: ARG001
    found = decide("nbest.txt")
    table = [line.split("\t") for line in run("decide", "nbest.txt", "-q", "-f", "tsv").stdout.splitlines()]
    assert table[0] == ["segment", "index", "utility", "text"]
    assert [row[3] for row in table[1:]] == found.texts
    assert [int(row[1]) for row in table[1:]] == found.indices
    assert [float(row[2]) for row in table[1:]] == found.utilities[found.chosen].tolist()
    for format in ("nbest", "jsonl"):
        path = tmp_path / "ranked"
        assert run("decide", "nbest.txt", "-q", "-f", format, "-o", str(path)).exit_code == 0
        ranked = NBest.read(path)
        assert [ranked.segment(segment)[0] for segment in range(60)] == found.texts
        assert ranked.feature_names == ("LM", "TM_1", "TM_2", "WordPenalty", "utility", "index")
    data = json.loads(run("decide", "nbest.txt", "-q", "-f", "json").stdout)
    assert data == json.loads(json.dumps(found.to_dict()))


def test_standard_input(examples, run):
    expected = run("decide", "nbest.txt", "-q").stdout
    assert run("decide", "-", "-q", input=(examples / "nbest.txt").read_bytes()).stdout == expected


def test_systems_as_candidates(examples, run):  # noqa: ARG001
    files = ["system-weak.en", "system-medium.en", "system-strong.en"]
    assert (
        run("decide", *files, "-q", "-m", "bleu").stdout.splitlines()
        == decide(NBest.of_systems(files), metrics="bleu").texts
    )


def test_plain_text(run):
    result = run("decide", "-", "--candidates-per-segment", "3", "-q", input=b"a b\na b c\nx\nd\ne\nd\n")
    assert result.stdout == "a b c\nd\n"


def test_matrix(examples, run, tmp_path):  # noqa: ARG001
    path = str(tmp_path / "matrix.npz")
    first = run("decide", "nbest.txt", "--save-matrix", path)
    assert "939 utilities computed" in first.stderr
    second = run("decide", "nbest.txt", "--matrix", path)
    assert second.stdout == first.stdout
    assert "0 utilities computed" in second.stderr


def test_rerank(examples, run, tmp_path):  # noqa: ARG001
    weights = {"LM": 1, "TM_1": 0.5, "TM_2": 0, "WordPenalty": -1}
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": weights}))
    by_file = run("decide", "nbest.txt", "--method", "rerank", "--weights", str(path))
    listed = ",".join(f"{name}={weight}" for name, weight in weights.items())
    assert by_file.stdout == run("decide", "nbest.txt", "--method", "rerank", "--weights", listed).stdout
    assert by_file.stdout.splitlines() == decide("nbest.txt", method="rerank", weights=weights).texts

    by_score = run("decide", "nbest.txt", "--method", "rerank").stdout.splitlines()
    assert by_score == [NBest.read("nbest.txt").segment(segment)[0] for segment in range(60)]


def test_corpus_scores_have_their_own_signature(examples, run):  # noqa: ARG001
    """Not that of the utility, a segment score: for BLEU, effective order and the number of references differ."""
    result = run("decide", "nbest.txt", *REFERENCES, "-m", "bleu", "-f", "json")
    found = json.loads(result.stdout)
    (scored,) = found["summary"]["corpus scores"]
    run("decide", "nbest.txt", "-m", "bleu", "-o", "chosen.txt")
    expected = score(["chosen.txt"], ["reference-1.en", "reference-2.en"])["chosen"].scores[0]
    assert (scored["chosen"], scored["signature"]) == (expected.value, str(expected.signature))
    decision = decide("nbest.txt", ["reference-1.en", "reference-2.en"], metrics="bleu")
    assert decision_tables.as_grids(decision)[0].signatures == [
        ("BLEU (utility)", found["metrics"][0]["signature"]),
        ("BLEU", scored["signature"]),
    ]


@needs_report
def test_report_and_figures(examples, run, tmp_path):  # noqa: ARG001
    report, folder = tmp_path / "report.html", tmp_path / "figures"
    result = run("decide", "nbest.txt", *REFERENCES, "--report", str(report), "--figures", str(folder))
    assert result.exit_code == 0
    assert result.stdout == run("decide", "nbest.txt", "-q").stdout
    page = report.read_text(encoding="utf-8")
    check_nothing_fetched(page)
    check_addresses(page)
    found = decide("nbest.txt", ["reference-1.en", "reference-2.en"])
    scores = found.summary().totals[0].scores
    for shown in (
        *(f"{scores[name].value:.2f}" for name in ("first", "chosen", "oracle")),
        f"{found.changed} of 60 choices differ from the first candidate",
        "In addition, the water tap in the kitchen is dripping.",  # the largest difference
    ):
        assert shown in page
    assert sorted(path.name for path in folder.glob("*.csv")) == ["gains.csv", "places.csv"]
    places = (folder / "places.csv").read_text().splitlines()[1:]
    assert sum(int(line.split(",")[1]) for line in places) == 60
    assert (
        "--report and --output are both"
        in run("decide", "nbest.txt", "--report", str(report), "-o", str(report)).stderr
    )


@needs_report
def test_report_of_lists_with_little_in_them(tmp_path):
    """Segments without candidates, lower scores that are better, no difference at all, and many places."""
    lists = [["<b>a b</b>", "a b c"], [], [f"{number} x y" for number in range(30)]]
    found = decide(lists, ["a b", "c", "29 x"], "ter", gaps="empty")
    found.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 segment has no candidates" in page
    assert "mean utility ↓" in page
    assert "11–30" in page
    assert "<b>a b</b>" not in page
    same = decide([["a"], ["b"]])
    assert "Examples" not in _page_of(same, tmp_path)
    assert same.to_frame()["index"].tolist() == [1, 1]


def _page_of(decision, folder):
    decision.report(folder / "other.html")
    return (folder / "other.html").read_text(encoding="utf-8")


def test_names_of_features_with_commas(tmp_path, run):
    rows = [
        {"id": 0, "text": text, "features": {"a,b=": value, "c": 1.0}} for text, value in (("x", 1), ("y", 2))
    ]
    path = tmp_path / "list.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rerank = ["decide", str(path), "-q", "--method", "rerank", "--weights"]
    assert run(*rerank, "a,b==1,c=0.5").stdout == "y\n"
    assert run(*rerank, "c=0.5,a,b==-1").stdout == "x\n"
    assert "feature 'c' has two weights, 1 and 2" in run(*rerank, "c=1,c=2").stderr
    assert "no such file: 'c=1,a'" in run(*rerank, "c=1,a").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nbest.txt", "--method", "oracle"], "--method oracle needs -r FILE"),
        (["nbest.txt", "--alpha", "0.5"], "--alpha has no effect: use --method pruned"),
        (["nbest.txt", "--clusters", "2"], "--clusters has no effect: use --method centroid"),
        (["nbest.txt", "--temperature", "2"], "--temperature has no effect: add --posterior score"),
        (["nbest.txt", "--weights", "LM=1"], "--weights has no effect: use --method rerank"),
        (["nbest.txt", "--method", "rerank", "--weights", "none.json"], "no such file: 'none.json'"),
        (["nbest.txt", "--method", "rerank", "--weights", "spans.tsv"], "'spans.tsv': not valid JSON"),
        (["nbest.txt", "--method", "rerank", "--weights", "LX=1"], "unknown feature 'LX' in 'nbest.txt'"),
        (["nbest.txt", "-m", "ter", "--method", "aggregated"], "ter cannot aggregate references"),
        (["nbest.txt", "-m", "self-bleu"], "self-bleu reads no references"),
        (
            ["nbest.txt", "--metric-weight", "inf"],
            "--metric-weight inf: expected a number above 0 and of at most",
        ),
        (
            ["nbest.txt", "--metric-weight", "1", "--metric-weight", "2"],
            "--metric-weight is given 2 times, expected 1",
        ),
        (["nbest.txt", "-r", "source.de", "-r", "chinese/reference.txt"], "segments"),
        (["nbest.txt", "-r", "chinese/reference.txt"], "has 60 segments or more, references have 6"),
        (["system-weak.en"], "line 1: not an n-best list"),
        (["nbest.txt", "-o", "nbest.txt"], "is one of the inputs"),
        (
            ["nbest.txt", "--method", "rerank", "--weights", "spans.tsv", "-o", "spans.tsv"],
            "is one of the inputs",
        ),
        (["nbest.txt", "--matrix", "nbest.txt"], "'nbest.txt' is not a utility matrix"),
        (["-", "-r", "-"], "standard input ('-') is given twice"),
    ],
)
def test_refused(examples, run, arguments, message):  # noqa: ARG001
    result = run("decide", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout
    assert len(result.stderr.splitlines()) == 1


def test_nothing_half_written(examples, run, tmp_path):
    """The list ends before the references do, which is found at its end."""
    lines = (examples / "nbest.txt").read_text().splitlines(keepends=True)
    (tmp_path / "short").write_text("".join(lines[:200]))
    output = tmp_path / "chosen.txt"
    result = run("decide", str(tmp_path / "short"), "-r", "reference-1.en", "-o", str(output))
    assert result.exit_code == 2
    assert "has 50 segments, references have 60" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["short"]
