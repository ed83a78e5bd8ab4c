"""COMET, BLEURT and MetricX as metrics: parameters, signatures, inputs, references, laws, and error spans in files."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.no_network import no_network  # noqa: F401
from material.optional import needs_packages
from material.tiny_bleurt import write_bleurt
from material.tiny_comet import write_comet
from material.tiny_metricx import write_metricx
from material.tiny_models import write_sentencepiece
from material.with_torch import torch_or_skip
from understudy import BLEURT, COMET, MetricX, decide
from understudy.corpus.error_spans import read_marked_spans, read_predicted_spans
from understudy.errors import BadInput, BadParameter, LengthMismatch, MissingExtra, MissingFile, ModelWarning
from understudy.neural.comet.error_spans import ErrorSpan
from understudy.neural.score_cache import ScoreCache
from understudy.scoring.predicted_spans import PredictedSpans, predict_spans
from understudy.testing import score_laws, signature_laws, spelling_laws, table_laws
from understudy.testing.check import LAWS_OF_CLASSES, LAWS_OF_TEXT
from understudy.testing.expectations import Law, LawOfText, obey
from understudy.testing.texts import PROSE

needs_models = needs_packages("torch", "transformers", "tokenizers", "sentencepiece", "yaml")

HYPOTHESES = ["a small text", "", "another text, and more of it"]
REFERENCES = ["the small text", "some text", "another text"]
SOURCES = ["ein kleiner Text", "ein Text", "ein anderer Text"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch_or_skip()
    folder = tmp_path_factory.mktemp("models")
    for name in ("regression", "kiwi", "xcomet-base"):
        write_comet(folder, name)
    write_bleurt(folder, "rembert")
    write_metricx(folder)
    return folder


def metric_of(home: Path, name: str) -> Any:
    return {
        "comet": lambda: COMET(model=str(home / "regression")),
        "kiwi": lambda: COMET(model=str(home / "kiwi")),
        "xcomet": lambda: COMET(model=str(home / "xcomet-base")),
        "xcomet-qe": lambda: COMET(model=str(home / "xcomet-base"), inputs="source"),
        "bleurt": lambda: BLEURT(model=str(home / "rembert")),
        "metricx": lambda: MetricX(model=str(home / "metricx-24-hybrid-tiny")),
        "metricx-qe": lambda: MetricX(model=str(home / "metricx-24-hybrid-tiny"), mode="24-qe"),
        "metricx-23": lambda: MetricX(model=str(home / "metricx-24-hybrid-tiny"), mode="23"),
    }[name]()


ALL = ["comet", "kiwi", "xcomet", "xcomet-qe", "bleurt", "metricx", "metricx-qe", "metricx-23"]


@needs_models
@pytest.mark.parametrize(
    ("name", "references", "sources"),
    [
        ("comet", True, True),
        ("kiwi", False, True),
        ("xcomet", True, True),
        ("xcomet-qe", False, True),
        ("bleurt", True, False),
        ("metricx", True, True),
        ("metricx-qe", False, True),
        ("metricx-23", True, False),
    ],
)
def test_what_each_reads(home: Path, name: str, references: bool, sources: bool) -> None:
    metric = metric_of(home, name)
    assert (metric.reads_references, metric.reads_sources) == (references, sources)
    assert metric.missing == ""
    given = {"sources": SOURCES} if sources else {}
    scores = metric.segments(HYPOTHESES, REFERENCES if references else None, **given)
    assert np.isfinite(scores).all()
    assert len(set(scores.tolist())) > 1


@needs_models
@pytest.mark.parametrize(("name", "token"), [("comet", "</s>"), ("kiwi", "<pad>"), ("xcomet", "<s>")])
def test_special_tokens_in_the_text_are_reported(home: Path, name: str, token: str) -> None:
    with pytest.warns(
        ModelWarning, match=rf"the text contains '{token}', which the model does not read as text"
    ):
        metric_of(home, name).segments(["a text"], ["a text"], sources=[f"ein Text {token}"])


@needs_models
def test_tokens_that_are_text_for_a_model_are_not_reported(home: Path) -> None:
    metric_of(home, "comet").segments(["a [SEP] text"], ["a text"], sources=["ein Text"])
    for of_sentencepiece in ("bleurt", "metricx-23"):
        metric_of(home, of_sentencepiece).segments(["a [SEP] text </s>"], ["a text"])


# Without those of quality, which a random model does not have, those that try devices, and those that take minutes.
LAWS = (
    *LAWS_OF_CLASSES,
    spelling_laws.metrics_do_not_change,
    spelling_laws.copies_are_the_same,
    table_laws.columns_have_names,
    table_laws.slices_add_up,
    table_laws.the_mean_is_that_of_segments,
    score_laws.scores_are_finite,
    score_laws.a_score_carries_its_explanation,
    signature_laws.different_metrics_have_different_specs,
)


@needs_models
@pytest.mark.parametrize("name", ["comet", "xcomet-qe", "bleurt", "metricx-23"])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_laws(home: Path, name: str, law: Law) -> None:
    obey(law, metric_of(home, name))


@needs_models
@pytest.mark.parametrize("name", ["comet", "xcomet-qe", "bleurt", "metricx-23"])
@pytest.mark.parametrize("law", LAWS_OF_TEXT, ids=lambda law: law.__name__)
def test_laws_of_text(home: Path, name: str, law: LawOfText) -> None:
    obey(law, metric_of(home, name), PROSE)


@needs_models
@pytest.mark.parametrize("name", ALL)
def test_threads_and_batches_do_not_change_a_digit(home: Path, name: str) -> None:
    """On a CPU, which computes every text by itself."""
    metric = metric_of(home, name)
    given = {"sources": SOURCES} if metric.reads_sources else {}
    references = REFERENCES if metric.reads_references else None
    expected = metric.segments(HYPOTHESES, references, threads=1, **given)
    in_batches = replace(metric, batch_size=2)
    np.testing.assert_array_equal(in_batches.segments(HYPOTHESES, references, threads=3, **given), expected)


@needs_models
def test_signatures(home: Path) -> None:
    signed = {name: metric_of(home, name).choices() for name in ALL}
    assert signed["comet"]["model"] == "regression"
    assert len(signed["comet"]["sha256"]) == 12
    assert signed["comet"]["inputs"] == "src+ref"
    assert signed["xcomet-qe"]["inputs"] == "src"
    assert signed["metricx"]["mode"] == "24"
    assert signed["metricx"]["multi"] == "min"
    assert signed["bleurt"]["tokens"] == "64"
    for choices in signed.values():
        assert {"model", "sha256", "dtype", "torch", "transformers"} <= set(choices)
        assert not {"batch_size", "device"} & set(choices)


@needs_models
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("comet", "base-XLM-RoBERTa/tokenizer.json"),
        ("comet", "base-XLM-RoBERTa/config.json"),
        ("bleurt", "rembert/tokenizer_config.json"),
        ("bleurt", "rembert/config.json"),
        ("metricx", "metricx-24-hybrid-tiny/tokenizer_config.json"),
        ("metricx", "metricx-24-hybrid-tiny/config.json"),
    ],
)
def test_changed_settings_are_another_model(home: Path, name: str, file: str) -> None:
    """The signature is also the key of cached scores."""
    path = home / file
    before, content = metric_of(home, name).choices(), path.read_bytes()
    try:
        path.write_bytes(content + b"\n")
        assert metric_of(home, name).choices() != before
    finally:
        path.write_bytes(content)


@needs_models
def test_another_tokenizer_is_not_served_from_the_cache(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScoreCache, "default", ScoreCache(tmp_path / "scores.sqlite3"))
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "mt5"}')
    write_sentencepiece(folder / "spiece.model", ("<unk>", "</s>", "<pad>"))
    own = metric_of(home, "metricx-23")
    first = own.segments(HYPOTHESES, REFERENCES)
    other = replace(own, tokenizer=str(folder))
    cached = other.segments(HYPOTHESES, REFERENCES)
    monkeypatch.setattr(ScoreCache, "default", None)
    assert list(cached) == list(other.segments(HYPOTHESES, REFERENCES))
    assert list(own.segments(HYPOTHESES, REFERENCES)) == list(first)
    assert list(cached) != list(first)


@needs_models
def test_several_references(home: Path) -> None:
    """The best one counts: the highest score of COMET, the lowest of MetricX."""
    for name, best in (("bleurt", max), ("metricx-23", min)):
        metric = metric_of(home, name)
        alone = [
            metric.segments(["a small text"], [reference])[0] for reference in ("the text", "small texts")
        ]
        assert alone[0] != alone[1]
        both = metric.segments(["a small text"], [["the text", "small texts"]])[0]
        assert both == pytest.approx(best(alone), abs=1e-6)


@pytest.mark.parametrize("metric_class", [COMET, BLEURT, MetricX])
def test_without_a_model(metric_class: Any) -> None:
    assert metric_class().missing.startswith("no model given. Use ")
    with pytest.raises(BadParameter, match=r"no model given. Use .*:model=FOLDER"):
        metric_class().corpus(["a"], ["b"])


@needs_models
@pytest.mark.parametrize("metric_class", [COMET, BLEURT, MetricX])
def test_a_model_that_is_not_there(metric_class: Any) -> None:
    metric = metric_class(model="nowhere/metricx-24-large")
    assert "no model 'nowhere/metricx-24-large' on this machine" in metric.missing
    with pytest.raises(MissingFile, match=r"hf download nowhere/metricx-24-large"):
        metric.corpus(["a"], ["b"])


@pytest.mark.parametrize("metric_class", [COMET, BLEURT, MetricX])
def test_the_extra_is_named_before_the_model(metric_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", version)
    with pytest.raises(MissingExtra, match=r"need torch: pip install 'understudy-mt\[neural\]'"):
        metric_class(model="nowhere/metricx-24-large").corpus(["a"], ["b"])


def test_decide_says_that_the_model_is_missing() -> None:
    """Not that it reads references, which is not known."""
    with pytest.raises(BadParameter, match=r"^comet:model=nowhere: .*(no model 'nowhere'|need torch)"):
        decide([["a", "b"]], metrics="comet:model=nowhere", sources=["s"], method="qe")


@needs_models
def test_the_signature_has_the_class_of_the_checkpoint(home: Path) -> None:
    """hparams.yaml names it, which is no part of the weights."""
    assert metric_of(home, "xcomet").choices()["class"] == "xcomet_metric"


# --- error spans --------------------------------------------------------------------------------------------

FOUND = PredictedSpans(
    "XCOMET",
    {
        "one": [[ErrorSpan(0, 3, "minor", 0.5), ErrorSpan(4, 4, "major", 0.5)], []],
        "two": [[ErrorSpan(2, 9, "critical", 0.25)], [ErrorSpan(0, 0, "minor", 1.0)]],
    },
)


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_spans_in_a_file(tmp_path: Path, suffix: str) -> None:
    """As `trust --spans` and `judge` read them."""
    path = tmp_path / f"spans.{suffix}"
    FOUND.write(path)
    spans = read_predicted_spans(path)["XCOMET"]
    assert spans.annotations == (("one", 1, ""), ("one", 2, ""), ("two", 1, ""), ("two", 2, ""))
    assert list(zip(spans.annotation, spans.start, spans.end, spans.major, strict=True)) == [
        (0, 0, 3, 0),
        (2, 2, 9, 1),
    ]
    assert spans.names_error_free
    assert [(span.system, span.segment, span.severity) for span in read_marked_spans(path)] == [
        ("one", 1, "minor"),
        ("two", 1, "critical"),
    ]


def test_a_name_that_tsv_cannot_have(tmp_path: Path) -> None:
    path = tmp_path / "spans.tsv"
    with pytest.raises(BadInput, match=r"cannot be written as TSV. Use a file with the suffix .jsonl"):
        PredictedSpans("X", {"a\tb": [[]]}).write(path)
    assert not path.exists()


@needs_models
def test_spans_of_a_model(home: Path, tmp_path: Path) -> None:
    texts = {"one": HYPOTHESES, "two": [*reversed(HYPOTHESES)]}
    metric = metric_of(home, "xcomet")
    found = predict_spans(texts, REFERENCES, sources=SOURCES, metric=metric)
    assert list(found.systems) == ["one", "two"]
    assert found.systems["one"] == metric.error_spans(HYPOTHESES, REFERENCES, SOURCES)
    assert any(found.systems["two"])
    found.write(tmp_path / "spans.tsv")
    assert read_predicted_spans(tmp_path / "spans.tsv", texts)["xcomet-base"].name == "xcomet-base"
    without = predict_spans(
        texts, sources=SOURCES, metric=f"comet:model={home / 'xcomet-base'},inputs=source"
    )
    assert list(without.systems) == ["one", "two"]


@needs_models
def test_spans_that_cannot_be(home: Path) -> None:
    with pytest.raises(
        BadParameter, match=r"bleu predicts no error spans. Use comet:model=FOLDER with an XCOMET model"
    ):
        predict_spans({"one": HYPOTHESES}, REFERENCES, metric="bleu")
    with pytest.raises(BadInput, match=r"segment 1 has 2 references, but error spans are found with one"):
        predict_spans(
            {"one": HYPOTHESES},
            [[each, each + "."] for each in REFERENCES],
            sources=SOURCES,
            metric=metric_of(home, "xcomet"),
        )
    with pytest.raises(
        BadInput, match=r"reads references, and there are none. Add them, or use inputs=source"
    ):
        predict_spans({"one": HYPOTHESES}, sources=SOURCES, metric=metric_of(home, "xcomet"))
    with pytest.raises(LengthMismatch, match=r"3 hypotheses, but 1 references"):
        metric_of(home, "xcomet").error_spans(HYPOTHESES, ["a"], SOURCES)
