"""Sentinels: what they see, and the metrics that are no better."""

from __future__ import annotations

import json
import math
import unicodedata

import numpy as np
import pytest

from material.judged_examples import EXAMPLES, JUDGMENTS, REFERENCE, SYSTEMS
from material.optional import needs_packages, needs_report
from material.shared import needs
from material.wmt import DATA
from understudy import Corpus, UnderstudyError, metric, trust
from understudy.corpus.judgments import read_judgments
from understudy.corpus.segment_label_files import read_labels
from understudy.errors import MissingExtra
from understudy.report.agreements import render
from understudy.report.trust_prose import takeaways
from understudy.report.trust_report import trust_report
from understudy.trusting import sentinels as sentinels_of
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.combinations.combining import Combination
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn

DOCUMENTS = EXAMPLES / "documents.tsv"
POOLED = CoefficientSpec("kendall-b", "segment", "none")
WITHIN = CoefficientSpec("kendall-b", "segment", "segment")
TEXTS = {path.name: path.read_text(encoding="utf-8").splitlines() for path in SYSTEMS}


def corpus(**options):
    return Corpus.read(SYSTEMS, REFERENCE, documents=DOCUMENTS, **options)


def trusted(texts=None, **options):
    asked = {"measure": "adequacy", "samples": 30, "coefficients": ("kendall-b", "pearson"), **options}
    return trust(JUDGMENTS, texts or corpus(), sentinels=True, **asked)


def test_length_and_source_are_logarithms_of_characters():
    found = {each.name: each for each in trusted(corpus(sources=EXAMPLES / "source.de")).metrics}
    source = (EXAMPLES / "source.de").read_text(encoding="utf-8").splitlines()
    length = found["length only"].pairing
    for row, system in enumerate(length.systems):
        expected = [-math.log(1 + len(text)) for text in TEXTS[system]]
        assert length.metric[row] == pytest.approx(expected, rel=1e-14)
        assert length.system_scores[1][row] == pytest.approx(np.mean(expected), rel=1e-12)
        assert found["source only"].pairing.metric[row] == pytest.approx(
            [-math.log(1 + len(text)) for text in source], rel=1e-14
        )
    assert math.isnan(found["source only"].of(WITHIN).value)
    assert not math.isnan(found["source only"].of(POOLED).value)


def test_the_surface_predicts_out_of_fold():
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")

    def surface(text):
        words, characters = text.split(), max(len(text), 1)
        return (
            -math.log(1 + len(text)),
            math.log(1 + len(words)),
            len("".join(words)) / len(words),
            sum(character.isdigit() for character in text) / characters,
            sum(character.isupper() for character in text) / characters,
            sum(unicodedata.category(character)[0] == "P" for character in text) / characters,
            1 - len({word.casefold() for word in words}) / len(words),
        )

    found = next(each for each in trusted().metrics if each.name == "candidate only")
    systems = found.pairing.systems
    values = np.array([[surface(text) for text in TEXTS[system]] for system in systems])
    human = read_judgments(JUDGMENTS, "adequacy")
    target = human.scores[[human.systems.index(system) for system in systems]]
    features = [Feature(str(place), values[..., place]) for place in range(values.shape[-1])]
    learned = learn(features, Target.of_scores(systems, target), read_labels(DOCUMENTS)[0].labels)
    assert found.pairing.metric == pytest.approx(learned.predictions, rel=1e-9)


def test_metrics_that_are_no_better_are_named():
    """By the test behind the table: read from the pairs of its ranking."""
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    found = trusted(metrics=["bleu", "exact-match"], samples=400)
    names = ("length only", "candidate only")
    said = [note for note in found.notes if note.startswith("Not significantly better than the sentinel")]
    expected = []
    for ranking in found.rankings:
        for sentinel in names:
            weak = []
            for name in ("BLEU", "exact match"):
                (pair,) = [each for each in ranking.pairs if {each.first, each.second} == {name, sentinel}]
                gain = ranking.values[name] - ranking.values[sentinel]
                if not math.isnan(gain) and not (gain > 0 and pair.corrected <= 0.05):
                    weak.append(name)
            if weak:
                level = ranking.asked.level
                spec = "pearson" if level == "system" else "kendall-b:segment"
                expected.append(
                    f"Not significantly better than the sentinel '{sentinel}' at {level} level, by {spec} and "
                    f"{ranking.test}: {', '.join(weak)}."
                )
    assert said == expected
    assert any("system level" in note for note in said)  # four systems are too few for any difference
    assert not any("segment level" in note and "BLEU" in note for note in said)


def test_what_cannot_be_had_is_said(monkeypatch):
    assert "Without source texts, there is no sentinel 'source only'." in trusted().notes

    def missing(*_, **__):
        raise MissingExtra("this needs scikit-learn: pip install 'understudy-mt[learned]'")

    monkeypatch.setattr(sentinels_of, "learn", missing)
    found = trusted(corpus(sources=EXAMPLES / "source.de"))
    assert [each.name for each in found.metrics] == ["BLEU", "length only", "source only"]
    assert "There is no sentinel 'candidate only': this needs scikit-learn" in " ".join(found.notes)
    assert not any("Without source texts" in note for note in found.notes)


def test_human_scores_of_systems_have_no_candidate_only(tmp_path):
    human = tmp_path / "human.tsv"
    rows = [f"{path.name}\t{place}" for place, path in enumerate(SYSTEMS)]
    human.write_text("\n".join(["system\tscore", *rows]) + "\n")
    found = trust(human, corpus(), sentinels=True, samples=20)
    assert [each.name for each in found.metrics] == ["BLEU", "length only"]
    assert any("it is fitted to human scores of segments" in note for note in found.notes)


def test_without_sentinels_nothing_changes():
    coefficients = ("kendall-b", "pearson")
    alone = trust(JUDGMENTS, corpus(), measure="adequacy", samples=30, coefficients=coefficients)
    assert alone.metrics[0].agreed == trusted().metrics[0].agreed
    assert not any("sentinel" in note for note in alone.notes)
    assert "sentinel" not in render(alone, "json")


def test_sentinels_are_told_from_metrics():
    data = json.loads(render(trusted(), "json"))["measures"][0]["metrics"]
    assert {each["metric"]: each["source"] for each in data}["length only"] == "sentinel"


@needs_report
def test_the_report_does_not_count_sentinels_among_metrics():
    found = trusted(metrics=["bleu", "chrf", "ter"])
    page = trust_report([found])
    assert "<title>BLEU, chrF and TER vs. adequacy" in page
    assert "3 metrics and 2 sentinels" in page
    said = " ".join(sentence for _, sentence in takeaways(found, 3))
    assert "First cluster: 5 of 5 metrics and sentinels." in said


def test_sentinels_read_no_references_and_need_texts(tmp_path):
    scores = tmp_path / "scores.tsv"
    scores.write_text("system\tm\na\t1\nb\t2\n")
    human = tmp_path / "human.tsv"
    human.write_text("system\tscore\na\t1\nb\t2\n")
    with pytest.raises(UnderstudyError, match="sentinels need texts"):
        trust(human, scores=scores, sentinels=True)
    other = Corpus.read(SYSTEMS, [EXAMPLES / "reference-2.en"], documents=DOCUMENTS)
    rows = [
        {
            each.name: each.pairing.metric.tolist()
            for each in trusted(texts).metrics
            if each.source == "sentinel"
        }
        for texts in (corpus(), other)
    ]
    assert rows[0] == rows[1]


def test_a_sentinel_among_the_metrics_is_shown_once():
    texts = corpus(sources=EXAMPLES / "source.de")
    given = trusted(texts, metrics=["bleu", "sentinel", "sentinel:sees=source", "sentinel:feature=digits"])
    names = [each.name for each in given.metrics if each.name != "candidate only"]  # which needs scikit-learn
    assert names == ["BLEU", "sentinel:feature=digits", "length only", "source only"]
    assert given.metrics[2].agreed == trusted(texts).metrics[1].agreed


def test_scores_of_other_programs_may_have_any_name(tmp_path):
    path = tmp_path / "scores.tsv"

    def called(name, **options):
        rows = [f"{system}\t{number}\t{number % 7}" for system in TEXTS for number in range(1, 61)]
        path.write_text("\n".join([f"system\tseg\t{name}", *rows]) + "\n")
        return trusted(metrics=["bleu"], scores=path, **options)

    names = [each.name for each in called("sentinel").metrics if each.name != "candidate only"]
    assert names == ["BLEU", "sentinel", "length only"]
    with pytest.raises(
        UnderstudyError, match=r"two metrics are called 'length only'\. Rename it in .*scores.tsv"
    ):
        called("length only")
    with pytest.raises(
        UnderstudyError, match=r"two metrics are called 'sentinel'\. Rename it in .*scores.tsv"
    ):
        called("sentinel", learn="ridge", learn_sentinels=True)


# --- sentinels as features of learned combinations -----------------------------------------------------------------

SEEN = [
    *("sentinel", "sentinel:feature=words", "sentinel:feature=word-length", "sentinel:feature=digits"),
    *("sentinel:feature=capitals", "sentinel:feature=punctuation", "sentinel:feature=repetition"),
]


def made_up_scores(folder, weights):
    """Human scores that are a weighted sum of standardized scores of metrics, oriented so that higher is better."""
    texts = corpus(sources=EXAMPLES / "source.de")
    total = np.zeros((len(TEXTS), 60))
    for spec, weight in weights.items():
        one = metric(spec)
        worth = np.array(
            [one.worth(one.segments(texts[name], texts.references, sources=texts.sources)) for name in TEXTS]
        )
        total = total + weight * (worth - worth.mean()) / worth.std()
    rows = [
        f"{name}\t{segment}\t{value!r}"
        for name, row in zip(TEXTS, total, strict=True)
        for segment, value in enumerate(row.tolist(), 1)
    ]
    human = folder / "human.tsv"
    human.write_text("\n".join(["system\tseg\tscore", *rows]) + "\n")
    return human, texts


@needs_packages("sklearn")
def test_the_features_that_made_the_scores_are_found(tmp_path):
    true = {"chrf": 2.0, "sentinel": 1.0, "sentinel:feature=punctuation": -0.5, "sentinel:sees=source": 0.7}
    human, texts = made_up_scores(tmp_path, true)
    found = trust(human, texts, metrics=["chrf"], learn="ridge", learn_sentinels=True, samples=20)
    assert list(found.learning.weights) == ["chrf", *SEEN, "sentinel:sees=source"]
    for spec, weight in found.learning.weights.items():
        assert weight == pytest.approx(
            true.get(spec, 0.0), abs=0.1
        )  # the numbers of characters and words are alike
    assert found.learning.model.trained_on.out_of_fold > 0.9999
    chrf, learned = (each.of(POOLED).value for each in found.metrics)
    assert learned > 0.97 > chrf + 0.1
    plain = trust(human, texts, metrics=["chrf"], learn="ridge", samples=20)
    assert list(plain.learning.weights) == ["chrf"]


@needs_packages("sklearn")
def test_a_saved_combination_computes_its_sentinels(tmp_path):
    texts = corpus(sources=EXAMPLES / "source.de")
    found = trusted(texts, metrics=["bleu", "ter"], learn="ridge", learn_sentinels=True)
    found.learning.model.save(tmp_path / "model.json")
    learned = metric(f"learned:model={tmp_path / 'model.json'}")
    assert learned.reads_sources
    systems = found.metrics[0].pairing.systems
    for row, system in enumerate(systems):
        scores = learned.segments(texts[system], texts.references, sources=texts.sources)
        assert scores == pytest.approx(found.learning.in_sample[row], rel=1e-9)
    with pytest.raises(UnderstudyError, match="reads the source text, but none is given"):
        learned.segments(texts["system-weak.en"], corpus().references)
    assert "+sentinel:feature=digits(sees=hypothesis;feature=digits)+" in str(learned.signature())


@needs_packages("sklearn")
def test_without_sources_the_others_are_used():
    found = trusted(learn="ridge", learn_sentinels=True)
    assert list(found.learning.weights) == ["bleu", *SEEN]
    assert (
        "Without source texts, the learned combination does not use the length of the source." in found.notes
    )
    again = trusted(learn=Combination("ridge", sentinels=True), metrics=["bleu", SEEN[3]])
    assert again.learning.weights == pytest.approx(
        found.learning.weights, rel=1e-9
    )  # once, though also a metric


@needs_packages("sklearn")
def test_within_segments_the_source_is_not_needed_by_what_is_saved(tmp_path):
    texts = corpus(sources=EXAMPLES / "source.de")
    found = trusted(texts, learn="ridge", learn_within=True, learn_sentinels=True)
    assert found.learning.weights["sentinel:sees=source"] == 0
    found.learning.model.save(tmp_path / "model.json")
    assert not metric(f"learned:model={tmp_path / 'model.json'}").reads_sources


@needs_packages("sklearn")
def test_folds_of_segments_are_named():
    said = "Without document labels, the folds of 'candidate only' consist of segments."
    assert said not in trusted().notes
    assert said in trusted(Corpus.read(SYSTEMS, REFERENCE)).notes


def test_an_error_names_metrics_only():
    """Not what stands beside them."""
    with pytest.raises(UnderstudyError) as refused:
        trusted(Corpus.of_texts({"other": ["a"] * 60}, ["a"] * 60), learn="ridge", learn_sentinels=True)
    assert "BLEU" in str(refused.value)
    assert "sentinel" not in str(refused.value)


def test_metrics_are_ranked_on_one_system():
    found = trusted(Corpus.read(SYSTEMS[:1], REFERENCE), metrics=["bleu", "chrf"], level="segment")
    (ranking,) = found.rankings
    assert ranking.asked == POOLED
    assert {"BLEU", "chrF", "length only"} <= {*ranking.values}
    assert any("sentinel 'length only' at segment level, by kendall-b:none" in note for note in found.notes)
    by_item = trusted(Corpus.read(SYSTEMS[:1], REFERENCE), level="segment", rank_by="kendall-b:segment")
    assert not by_item.rankings
    assert any("Metrics are not ranked by kendall-b:segment" in note for note in by_item.notes)


@needs_packages("sklearn")
def test_no_sign_of_a_sentinel_is_a_surprise():
    found = trusted(learn="ridge", learn_sentinels=True, metrics=["bleu"])
    assert min(found.learning.weights.values()) < 0 < found.learning.weights["bleu"]
    assert not any("negative" in note for note in found.learning.remarks)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"learn_sentinels": True}, "learn_sentinels has no effect without a learned combination"),
        ({"learn_sentinels": True, "learn": "ridge", "learn_features": "ngrams"}, "omit learn_features"),
        ({"learn_within": True}, "learn_within has no effect without learn or learn_features"),
        ({"learn_sentinels": True, "learn": Combination("ridge")}, "a Combination has its own settings"),
        ({"learn_within": True, "learn": Combination("ridge")}, "a Combination has its own settings"),
    ],
)
def test_options_without_effect_are_refused(options, said):
    with pytest.raises(UnderstudyError, match=said):
        trusted(**options)


@needs(DATA / "wmt23.zh-en")
def test_length_alone_agrees_across_segments_and_not_within_them():
    home = DATA / "wmt23.zh-en"
    systems = sorted((home / "systems").iterdir())
    texts = Corpus.read(systems, [home / "refA.txt"], sources=home / "src.txt")
    found = trust(home / "human.mqm.seg.tsv.gz", texts, sentinels=True, samples=2, level="segment")
    bleu, length, source = found.metrics[:3]
    assert (length.name, source.name) == ("length only", "source only")
    assert round(length.of(POOLED).value, 3) == 0.260
    assert round(source.of(POOLED).value, 3) == 0.259
    assert round(length.of(WITHIN).value, 3) == -0.097
    assert length.of(POOLED).value > 2 * bleu.of(POOLED).value
    assert bleu.of(WITHIN).value > 0.15
