"""BERTScore as a metric: parameters, languages, fits, baselines, long texts, cache, pairs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from material.optional import needs_minilm, needs_packages
from material.tiny_encoders import HYPOTHESES, OTHER_REFERENCES, REFERENCES, tiny_bert
from understudy import BERTScore, decide, metric, score
from understudy.errors import (
    BadInput,
    BadParameter,
    MissingExtra,
    MissingFile,
    ModelWarning,
    NoLanguageChosen,
)
from understudy.neural.bert_score import BertScore
from understudy.neural.bertscore_baselines import read_baseline
from understudy.neural.numpy_encoder import NumpyEncoder
from understudy.neural.score_cache import ScoreCache

needs_embed = needs_packages("tokenizers", "safetensors")

SHORT = [text if len(text) < 100 else "the cat" for text in HYPOTHESES]
SHORT_REFERENCES = [text if len(text) < 100 else "a dog" for text in REFERENCES]


@pytest.fixture
def tiny(tmp_path):
    return str(tiny_bert(tmp_path / "tiny"))


# --- parameters and languages --------------------------------------------------------------------------------------


def test_specs():
    for spec in (
        "bertscore",
        "bertscore:layer=0",
        "bertscore:value=recall,idf=true",
        "bertscore:model=/a\\,b",
    ):
        assert metric(spec).spec == spec
    assert metric("bertscore:layer=default") == BERTScore()
    assert [BERTScore(value=value).label for value in ("f1", "precision", "recall")] == [
        *("BERTScore", "BERTScore P", "BERTScore R")
    ]


def test_models_of_languages():
    """Those of bert-score, but for English."""
    assert BERTScore().for_language("en").model == "all-MiniLM-L6-v2"
    assert BERTScore().for_language("en-zh").model == "bert-base-chinese"
    assert BERTScore().for_language("de").model == "bert-base-multilingual-cased"
    assert BERTScore(model="own").for_language("de").model == "own"


def test_chinese_is_not_taken_for_english():
    with pytest.raises(NoLanguageChosen, match="would treat as English"):
        BERTScore().segments(["猫坐在垫子上。"] * 3, ["那只猫坐在垫子上。"] * 3)


@needs_embed  # a missing extra is named before a missing model
def test_a_model_that_is_not_there():
    with pytest.raises(MissingFile, match=r"no model 'no-such-model' on this machine.*Nothing is downloaded"):
        BERTScore(model="no-such-model").segments(["a"], ["a"])
    assert "no model 'no-such-model'" in BERTScore(model="no-such-model").missing


def test_without_its_packages(monkeypatch, tmp_path):
    """The error names the extra."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert", "num_hidden_layers": 2}')
    (folder / "model.safetensors").write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    (folder / "tokenizer.json").write_text("{}")
    hide(monkeypatch, "tokenizers", "torch")
    with pytest.raises(
        MissingExtra, match=r"need tokenizers and safetensors: pip install 'understudy-mt\[embed\]'"
    ):
        BERTScore(model=str(folder)).segments(["a"], ["a"])
    with pytest.raises(MissingExtra, match=r"need torch: pip install 'understudy-mt\[neural\]'"):
        BERTScore(model=str(folder), backend="torch").segments(["a"], ["a"])
    with pytest.raises(
        MissingExtra, match=r"understudy-mt\[embed\]"
    ):  # before the model, which is missing, too
        BERTScore(model="nowhere").segments(["a"], ["a"])


def hide(monkeypatch, *packages: str) -> None:
    import importlib.metadata

    known = importlib.metadata.version

    def version(name: str) -> str:
        if name in packages:
            raise importlib.metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr("importlib.metadata.version", version)


# --- values --------------------------------------------------------------------------------------------------------


@needs_embed
def test_three_values_in_one_count(tiny):
    of_f1 = BERTScore(model=tiny)
    counted = of_f1.statistics(SHORT, SHORT_REFERENCES)
    found = of_f1.corpus_score(counted)
    assert set(found.detail) == {"precision", "recall", "f1"}
    assert found.value == found.detail["f1"]
    assert found.explanation.startswith("(P = ")
    for value in ("precision", "recall"):
        assert BERTScore(model=tiny, value=value).corpus(SHORT, SHORT_REFERENCES).value == found.detail[value]


@needs_embed
def test_the_signature(tiny, tmp_path):
    signature = str(BERTScore(model=tiny, idf=True, layer=1).corpus(SHORT, SHORT_REFERENCES).signature)
    assert "|model:tiny|sha256:" in signature
    assert "|layer:1|dtype:float32|numpy:" in signature
    assert "|idf:yes|" in signature
    assert "batch_size" not in signature
    baseline = written(tmp_path / "b.tsv", "LAYER,P,R,F\n1,0.1,0.2,0.3\n")
    rescaled = BERTScore(model=tiny, layer=1, baseline=baseline)
    assert f"|baseline:{read_baseline(baseline, 1).digest}|" in str(rescaled.signature())


@needs_embed
def test_the_maximum_of_each_value_over_references(tiny):
    others = [*SHORT_REFERENCES[1:], OTHER_REFERENCES[-1]]
    several = list(zip(SHORT_REFERENCES, others, strict=True))
    for value in ("precision", "recall", "f1"):
        of_value = BERTScore(model=tiny, value=value)
        singles = [of_value.segments(SHORT, list(column)) for column in zip(*several, strict=True)]
        assert of_value.segments(SHORT, several).tolist() == np.maximum(*singles).tolist()


@needs_embed
@pytest.mark.parametrize("settings", [{}, {"idf": True}, {"value": "recall"}])
def test_all_pairs_encode_each_text_once(tiny, settings, monkeypatch):
    of_pairs = BERTScore(model=tiny, **settings).fit(SHORT_REFERENCES)
    expected = [of_pairs.segments(SHORT, [reference] * len(SHORT)) for reference in SHORT_REFERENCES]
    from understudy.neural import bert_score

    bert_score._loaded.cache_clear()
    encoded = []
    known = NumpyEncoder.vectors

    def counted(self, texts, **options):
        encoded.extend(texts)
        return known(self, texts, **options)

    monkeypatch.setattr(NumpyEncoder, "vectors", counted)
    found = of_pairs.pairwise(SHORT, SHORT_REFERENCES)
    assert found.tobytes() == np.stack(expected, axis=1).tobytes()
    assert len(encoded) == len({*SHORT, *SHORT_REFERENCES})


@needs_embed
def test_minimum_bayes_risk(tiny):
    candidates = [["the cat sat", "a cat sat", "it rained", "a cat sat"], ["it", "a dog"]]
    matrices = BERTScore(model=tiny).pairwise(candidates)
    expected = [
        texts[matrix.mean(axis=1).argmax()] for texts, matrix in zip(candidates, matrices, strict=True)
    ]
    assert decide(candidates, metrics=f"bertscore:model={tiny}").texts == expected


# --- fits ----------------------------------------------------------------------------------------------------------


@needs_embed
def test_only_idf_needs_a_fit(tiny):
    assert not BERTScore(model=tiny).needs_fit
    weighted = BERTScore(model=tiny, idf=True)
    assert weighted.needs_fit
    whole, part = weighted.fit(REFERENCES), weighted.fit(REFERENCES[:4])
    assert whole.fitted_on != part.fitted_on == weighted.fit(REFERENCES[:4][::-1]).fitted_on
    assert (
        whole.segments(SHORT[:4], SHORT_REFERENCES[:4]).tolist()
        != part.segments(SHORT[:4], SHORT_REFERENCES[:4]).tolist()
    )


# --- baselines -----------------------------------------------------------------------------------------------------


@needs_embed
def test_rescaling(tiny, tmp_path):
    baseline = written(tmp_path / "b.tsv", "LAYER,P,R,F\n0,0,0,0\n2,0.5,0.25,0.75\n")
    plain = BERTScore(model=tiny).corpus(SHORT, SHORT_REFERENCES).detail
    rescaled = BERTScore(model=tiny, baseline=baseline).corpus(SHORT, SHORT_REFERENCES).detail
    for name, base in (("precision", 50), ("recall", 25), ("f1", 75)):
        assert rescaled[name] == pytest.approx((plain[name] - base) / (100 - base) * 100, abs=1e-9)
    assert BERTScore(model=tiny, baseline=baseline).segments([""], ["a"]).tolist() == [-300]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("LAYER,P,R,F\n0,0.1,0.1,0.1\n", "has no row for layer 2; it has 0"),
        ("layer,p,r,f\n", "expected the header LAYER,P,R,F, got layer,p,r,f"),
        ("LAYER,P,R,F\n2,0.1,0.1,0.1_1\n", "line 2: expected a layer and three numbers"),
        ("LAYER,P,R,F\n2,0.1,0.1\n", "line 2: expected a layer and three numbers"),
        ("LAYER,P,R,F\n2,0.1,0.1,1.0\n", "line 2: expected numbers below 1"),
        ("LAYER,P,R,F\n2,0.1,nan,0.1\n", "line 2: expected numbers below 1"),
        ("LAYER,P,R,F\n2,0,0,0\n2,0,0,0\n", "line 3: layer 2 has two rows"),
        ("", "cannot be read"),
    ],
)
def test_files_that_are_no_baselines(content, message, tmp_path):
    with pytest.raises(BadInput, match=message):
        read_baseline(written(tmp_path / "b.tsv", content), 2)


@needs_embed
def test_a_missing_baseline_is_an_error(tiny):
    with pytest.raises(MissingFile, match=r"'no\.tsv' does not exist"):
        BERTScore(model=tiny, baseline="no.tsv").segments(["a"], ["a"])


def written(path, content: str) -> str:
    path.write_text(content)
    return str(path)


# --- long texts, cache, command line -------------------------------------------------------------------------------


@needs_embed
def test_long_texts_are_cut_and_counted_once(tiny):
    of_long = BERTScore(model=tiny)
    long = ["cat " * 60, "dog " * 60, "cat"]
    with pytest.warns(ModelWarning, match="2 texts are longer than the 48 tokens that tiny reads") as told:
        first = of_long.segments(long, ["cat " * 46] * 3)
    assert len(told) == 1
    assert of_long.segments(long, ["cat " * 46] * 3).tolist() == first.tolist()  # without a warning
    assert first[0] == pytest.approx(100, abs=1e-4)


@needs_embed
def test_special_tokens_in_the_text_are_reported(tiny):
    metric = BERTScore(model=tiny)
    with pytest.warns(
        ModelWarning, match=r"BERTScore: the text contains '\[SEP\]', which the model does not read"
    ):
        metric.segments(["cat [SEP]"], ["cat"])
    with pytest.warns(ModelWarning, match=r"'\[CLS\]', '\[SEP\]'"):
        metric.pairwise(["[CLS] cat [SEP] </s>"], ["cat"])
    metric.segments(["cat </s> <pad>"], ["cat"])  # text for this model: no warning


@needs_embed
def test_cached_scores_load_no_model(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(ScoreCache, "default", ScoreCache(tmp_path / "scores.sqlite3"))
    fresh = BERTScore(model=tiny).segments(SHORT, SHORT_REFERENCES)
    monkeypatch.setattr(BertScore, "score", None)
    assert BERTScore(model=tiny).segments(SHORT, SHORT_REFERENCES).tolist() == fresh.tolist()
    with pytest.raises(TypeError):  # another layer was not cached
        BERTScore(model=tiny, layer=1).segments(SHORT, SHORT_REFERENCES)


@needs_embed
@pytest.mark.parametrize(
    "changed", [{"layer_norm_eps": 0.1}, {"num_attention_heads": 2}, {"hidden_act": "relu"}]
)
def test_the_cache_and_the_signature_follow_the_configuration(tiny, tmp_path, monkeypatch, changed):
    """The same weights give other scores, in the same process and from the cache."""
    monkeypatch.setattr(ScoreCache, "default", ScoreCache(tmp_path / "scores.sqlite3"))
    before = BERTScore(model=tiny).corpus(SHORT, SHORT_REFERENCES)
    config = Path(tiny, "config.json")
    config.write_text(json.dumps({**json.loads(config.read_text()), **changed}))
    after = BERTScore(model=tiny).corpus(SHORT, SHORT_REFERENCES)
    assert after.value != before.value
    assert str(after.signature) != str(before.signature)
    monkeypatch.setattr(ScoreCache, "default", None)
    assert BERTScore(model=tiny).corpus(SHORT, SHORT_REFERENCES).value == after.value


@needs_embed
def test_weights_of_another_test_set_are_not_taken_from_the_cache(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(ScoreCache, "default", ScoreCache(tmp_path / "scores.sqlite3"))
    weighted = BERTScore(model=tiny, idf=True)
    found = [
        weighted.fit(texts).segments(["the dog"], ["a dog"]).item() for texts in (SHORT, SHORT_REFERENCES)
    ]
    monkeypatch.setattr(ScoreCache, "default", None)
    assert found == [
        weighted.fit(texts).segments(["the dog"], ["a dog"]).item() for texts in (SHORT, SHORT_REFERENCES)
    ]
    assert found[0] != found[1]


@needs_embed
def test_numpy_alone_imports_no_torch(tiny):
    import subprocess

    code = (
        "import sys; from understudy import metric; "
        f"print(metric('bertscore:model={tiny}').segments(['a'], ['a']), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")


@needs_embed
def test_layers_and_backends_that_do_not_exist(tiny):
    with pytest.raises(BadParameter, match="layer=9: tiny has layers 0 to 3"):
        BERTScore(model=tiny, layer=9).segments(["a"], ["a"])
    with pytest.raises(BadParameter, match="backend=numpy cannot run tiny: dtype=bfloat16 needs torch"):
        BERTScore(model=tiny, dtype="bfloat16", backend="numpy").segments(["a"], ["a"])


@needs_minilm
def test_files_with_the_default_model(tmp_path):
    for name, texts in (("system", ["a cat sat on the mat"]), ("reference", ["the cat sat on a mat"])):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    scored = score([tmp_path / "system"], [tmp_path / "reference"], ["bertscore"])
    assert 90 < scored.systems[0].scores[0].value < 100
