"""`understudy trust`: options, formats and complaints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from understudy.choices import SEED, SIGNIFICANCE

EXAMPLES = Path(__file__).parents[2] / "examples"
JUDGMENTS = str(EXAMPLES / "judgments.tsv")
REFERENCE = str(EXAMPLES / "reference-1.en")
SYSTEMS = [str(EXAMPLES / f"system-{name}.en") for name in ("strong", "medium", "rulebased", "weak")]


def arguments(*more: str) -> list[str]:
    return ["trust", *SYSTEMS, "--human", JUDGMENTS, "-r", REFERENCE, "--samples", "50", *more]


def test_both_levels_and_all_that_is_said(run) -> None:
    text = run(
        *arguments("--measure", "adequacy", "-m", "bleu", "-m", "chrf", "--plot", "--up-to", "2")
    ).stdout
    for said in (
        "Human scores: adequacy. 4 systems, 60 segments, 240 translations, 2 raters.",
        "Pearson's r",
        "soft pairwise accuracy",
        "Kendall's τ-b, group-by-item",
        "Holm-corrected p-values, perm-systems test.",
        "Holm-corrected p-values, perm-inputs test.",
        "Outliers by human score: system-weak.en.",
        "without system-weak.en",
        "80% agreement",
        "reference-2.en has human scores but no BLEU, chrF scores; excluded.",
        "by maximum n-gram order or tree depth",
        "human = ",
        "nrefs:1|case:mixed",
    ):
        assert said in text, said


def test_files_of_one_name_are_named_as_score_names_them(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = []
    for folder, file in zip("abcd", SYSTEMS, strict=True):
        Path(folder).mkdir()
        Path(folder, "out.txt").write_bytes(Path(file).read_bytes())
        names.append(f"{folder}/out.txt")
    judgments = Path(JUDGMENTS).read_text()
    for name, file in zip(names, SYSTEMS, strict=True):
        judgments = judgments.replace(Path(file).name, name)
    Path("human.tsv").write_text(judgments)
    given = [
        "--human",
        "human.tsv",
        "--measure",
        "adequacy",
        "-r",
        REFERENCE,
        "--samples",
        "50",
        "-f",
        "json",
    ]
    for systems in (names, [option for folder in "abcd" for option in ("--systems", folder)]):
        result = run("trust", *systems, *given)
        assert result.exit_code == 0, result.stderr
        assert sorted(json.loads(result.stdout)["measures"][0]["systems"]) == names


def test_the_level_is_an_option(run) -> None:
    options = ["--measure", "adequacy", "--level", "system", "-f", "json"]
    for more, level in (([], SIGNIFICANCE), (["--significance", "0.2"], 0.2)):
        (found,) = json.loads(run(*arguments(*options, *more)).stdout)["measures"]
        assert (found["plan"]["significance"], found["plan"]["seed"]) == (level, SEED)


def test_the_tables_of_the_metrics_tasks(run) -> None:
    """Their coefficients, tests and clusters."""
    asked = ["--measure", "adequacy", "-m", "bleu", "-m", "chrf", "--clusters", "wmt"]
    for rank_by, test in (("spa", "perm-both"), ("acc-eq", "perm-pairs")):
        text = run(*arguments(*asked, "--rank-by", rank_by)).stdout
        assert f"one-sided, uncorrected p-values, {test} test." in text
        assert "Clusters (wmt)" in text


def test_several_measures_follow_each_other(run) -> None:
    text = run(*arguments("--measure", "adequacy", "--measure", "fluency", "--level", "system")).stdout
    assert text.index("Human scores: adequacy") < text.index("Human scores: fluency")
    assert "segment level" not in text


def test_several_files_of_human_scores_follow_each_other(run, tmp_path) -> None:
    mqm = tmp_path / "mqm.tsv"
    mqm.write_text("system\tscore\n" + "".join(f"{Path(path).name}\t{-len(path)}\n" for path in SYSTEMS))
    options = ("--human", str(mqm), "--level", "system")
    text = run(*arguments("--measure", "adequacy", *options)).stdout
    assert text.index("Human scores: adequacy. 4 systems") < text.index("Human scores: mqm. 4 systems")
    first = run(*arguments("--measure", "adequacy", "--level", "system")).stdout
    assert text.startswith(first.rstrip("\n"))
    refused = run(*arguments("--measure", "adequacy", *options, "--learn", "ridge", "--save-model", "m.json"))
    assert refused.exit_code == 2
    assert "there are 2 human scores to fit" in refused.stderr


@pytest.mark.parametrize("format", ["json", "tsv", "markdown", "latex"])
def test_every_format(run, format: str) -> None:
    result = run(*arguments("--measure", "fluency", "-m", "bleu", "-m", "ter", "-f", format))
    assert result.exit_code == 0, result.stderr
    if format == "json":
        (found,) = json.loads(result.stdout)["measures"]
        assert [metric["metric"] for metric in found["metrics"]] == ["BLEU", "TER"]
        assert (
            found["metrics"][1]["scores"]["system-weak.en"]
            > found["metrics"][1]["scores"]["system-strong.en"]
        )
        assert {each["level"] for each in found["metrics"][0]["coefficients"]} == {"system", "segment"}
    elif format == "tsv":
        header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
        assert header[:6] == ["measure", "metric", "level", "coefficient", "grouping", "value"]
        assert len(rows) == 3 * 15  # two metrics and one judge
        assert all(len(row) == len(header) for row in rows)
        assert all(float(row[6]) <= float(row[7]) for row in rows)  # every coefficient has an interval
    elif format == "latex":
        assert result.stdout.startswith("% Human scores: fluency.")
        assert r"\toprule" in result.stdout
    else:
        assert "| system level" in result.stdout


def test_a_folder_of_systems_and_named_ones(run, tmp_path) -> None:
    for path in SYSTEMS:
        (tmp_path / Path(path).name).write_bytes(Path(path).read_bytes())
    common = ["--human", JUDGMENTS, "--measure", "adequacy", "-r", REFERENCE, "--samples", "20", "-f", "tsv"]
    by_folder = run("trust", "--systems", str(tmp_path), *common).stdout
    assert by_folder == run("trust", str(tmp_path), *common).stdout
    assert sorted(by_folder) == sorted(run("trust", *SYSTEMS, *common).stdout)
    named = run("trust", *(f"{Path(path).name}={path}" for path in SYSTEMS), *common).stdout
    assert named == run("trust", *SYSTEMS, *common).stdout


def test_the_layout_of_mt_metrics_eval(run, tmp_path) -> None:
    """Human and metric scores, outputs and references, each named by its path."""
    judged: dict[str, dict[int, list[int]]] = {}
    for line in Path(JUDGMENTS).read_text().splitlines()[1:]:
        system, segment, _, adequacy, _ = line.split("\t")
        judged.setdefault(system.removesuffix(".en"), {}).setdefault(int(segment), []).append(int(adequacy))
    means = {name: [sum(of) / len(of) for of in rows.values()] for name, rows in judged.items()}
    for folder in ("human-scores", "metric-scores/de-en", "system-outputs/de-en"):
        (tmp_path / folder).mkdir(parents=True)
    human = tmp_path / "human-scores/de-en.adequacy.seg.score"
    human.write_text("".join(f"{name}\t{score!r}\n" for name, scores in means.items() for score in scores))
    lengths = "".join(f"{name}\t{len(name)}\n" for name in means)
    (tmp_path / "metric-scores/de-en/LEN-src.sys.score").write_text(lengths)
    for path in SYSTEMS:
        copy = tmp_path / "system-outputs/de-en" / f"{Path(path).stem}.txt"
        copy.write_bytes(Path(path).read_bytes())
    common = ["-r", REFERENCE, "--samples", "20", "-f", "tsv"]
    outputs, others = str(tmp_path / "system-outputs/de-en"), str(tmp_path / "metric-scores/de-en")
    found = run("trust", "--human", str(human), "--systems", outputs, "--scores", others, *common).stdout
    rows = [line.split("\t") for line in found.splitlines()[1:]]
    assert {row[1] for row in rows} == {"BLEU", "LEN-src"}
    direct = run("trust", *SYSTEMS, "--human", JUDGMENTS, "--measure", "adequacy", *common).stdout
    pearson = [line.split("\t")[5] for line in direct.splitlines() if "\tsystem\tpearson" in line]
    (same,) = [row[5] for row in rows if row[1:4] == ["BLEU", "system", "pearson"]]
    assert float(same) == pytest.approx(float(pearson[0]), abs=1e-12)


def test_many_metrics_are_rows(run) -> None:
    metrics = [part for spec in ("bleu", "chrf", "ter", "wer", "per") for part in ("-m", spec)]
    lines = run(*arguments("--measure", "fluency", "--level", "system", *metrics)).stdout.splitlines()
    rows = [line.split() for line in lines[4:9]]
    assert {row[0] for row in rows} == {"BLEU", "chrF", "TER", "WER", "PER"}
    values = [float(row[1].rstrip("~")) for row in rows]
    assert values == sorted(values, reverse=True)  # by the first coefficient
    assert lines[9].startswith("one rater ")
    assert lines[10].startswith("permuted ")


def test_what_was_learned_is_a_metric(run, tmp_path) -> None:
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    model = str(tmp_path / "model.json")
    learning = ["--learn", "ridge", "--labels", str(EXAMPLES / "documents.tsv"), "--save-model", model]
    text = run(*arguments("--measure", "adequacy", "-m", "bleu", "-m", "ter", *learning)).stdout
    assert "learned (ridge)" in text
    assert "Learned combination: bleu" in text
    scores = run("score", *SYSTEMS, "-r", REFERENCE, "-m", f"learned:model={model}").stdout
    assert "method:ridge|parts:bleu(" in scores


def test_learned_features_are_a_metric(run, fails, tmp_path) -> None:
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    model = str(tmp_path / "model.json")
    learning = [
        "--learn-features",
        "ngrams",
        "--labels",
        str(EXAMPLES / "documents.tsv"),
        "--save-model",
        model,
    ]
    asked = [
        "--measure",
        "adequacy",
        "--level",
        "segment",
        "--coefficient",
        "pearson:none",
        "--samples",
        "50",
    ]
    text = run(*arguments(*asked, *learning, "--hash-bits", "20", "--min-documents", "4")).stdout
    assert "gain over BLEU" in text
    assert "of 2^20 buckets" in text
    assert "at least 4 documents" in text
    spec = f"learned-features:model={model}"
    assert (
        "|features:ngrams|method:ridge|of:bleu(" in run("score", *SYSTEMS, "-r", REFERENCE, "-m", spec).stdout
    )
    compared = run(
        "compare", *SYSTEMS[:2], "-r", REFERENCE, "-m", spec, "--samples", "50", "--threads", "2"
    ).stdout
    assert "Learned features" in compared
    assert "Learned features" in run(*arguments(*asked, "-m", spec)).stdout
    probed = ["--what", "perturbations", "--samples", "20", "--lang", "en"]
    assert "Learned features" in run("probe", SYSTEMS[0], "-r", REFERENCE, "-m", spec, *probed).stdout
    damaged = tmp_path / "damaged.json"
    damaged.write_text(Path(model).read_text(encoding="utf-8").replace("ridge", "rigde"), encoding="utf-8")
    said = fails("score", SYSTEMS[0], "-r", REFERENCE, "-m", f"learned-features:model={damaged}")
    assert "is damaged: its content has changed since it was written" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--measure", "fluency", "--learn-within"], "--learn-within has no effect: add --learn"),
        (["--measure", "fluency", "--learn-sentinels"], "--learn-sentinels has no effect: add --learn"),
        (
            ["--measure", "fluency", "--learn", "ridge", "--learn-features", "ngrams", "--learn-sentinels"],
            "--learn-sentinels cannot be combined with --learn-features",
        ),
        (["--measure", "fluency", "--hash-bits", "20"], "--hash-bits has no effect: add --learn-features"),
        (
            ["--measure", "fluency", "--learn-features", "ngrams", "--learn", "svm"],
            "--learn-features cannot be combined with --learn svm",
        ),
        (
            ["--measure", "fluency", "--learn-features", "words"],
            "'words' is not one of 'ngrams', 'chains', 'subtrees'",
        ),
        (
            ["--measure", "fluency", "--measure", "adequacy", "--learn", "ridge", "--save-model", "m.json"],
            "there are 2 human scores to fit",
        ),
        (["--measure", "fluency", "--learn", "svm"], "no system has the type 'human'"),
        (
            ["--measure", "fluency", "--learn", "svm", "--learn-within"],
            "--learn-within needs human scores, which svm does not use",
        ),
        ([], "has the measures adequacy, fluency, expected one. Select one with --measure"),
        (["--measure", "adequcy"], "unknown measure 'adequcy'. Did you mean 'adequacy'"),
        (["--measure", "fluency", "--scores", "nowhere.tsv"], "nowhere.tsv"),
        (["--measure", "fluency", "--coefficient", "tau"], "unknown coefficient 'tau'"),
        (
            ["--measure", "fluency", "-m", "bleu", "-m", "ter", "--test", "williams", "--rank-by", "r2"],
            "Williams",
        ),
        (["--measure", "fluency", SYSTEMS[0]], "is given twice"),
        (["--measure", "fluency", "-m", "wer", "--up-to", "3"], "no metric has a maximum n-gram order"),
        (["--measure", "fluency", "-o", JUDGMENTS], "would be overwritten"),
        (["--measure", "fluency", "--lower-is-better", "x"], "has no effect: add --scores"),
        (["--measure", "fluency", "--plot", "-f", "json"], "--plot has no effect: use --format table"),
        (["--measure", "fluency", "--kind", "nmt"], "expected a type and its systems"),
    ],
)
def test_bad_input_is_one_line(fails, more: list[str], said: str) -> None:
    assert said in fails(*arguments(*more))


def test_what_must_be_there(fails, tmp_path) -> None:
    assert "--human" in fails("trust", *SYSTEMS, "-r", REFERENCE)
    assert "Give a reference translation" in fails(
        "trust", *SYSTEMS, "--human", JUDGMENTS, "--measure", "fluency"
    )
    assert "expected SYSTEM files" in fails("trust", "--human", JUDGMENTS)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "has no files in it" in fails("trust", str(empty), "--human", JUDGMENTS, "-r", REFERENCE)
    scores = tmp_path / "s.tsv"
    scores.write_text("system\tm\nsystem-weak.en\t1\nsystem-strong.en\t2\n")
    only_scores = ["trust", "--human", JUDGMENTS, "--measure", "fluency", "--scores", str(scores)]
    for more in (["--metric", "bleu"], ["--up-to", "2"], ["--lowercase"]):
        assert f"{more[0]} has no effect: also give SYSTEM files or --systems" in fails(*only_scores, *more)
