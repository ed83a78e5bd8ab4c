"""LLM judge: the metric, in every verb, against a server on loopback."""

from __future__ import annotations

import json
import pickle
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from stand_in_model import Obedient, StandIn, texts_in

from material.faulty_models import FaultyModel
from understudy import Corpus, Endpoint, LLMJudge, compare, metric, probe, score, trust
from understudy.errors import BadParameter, WrongType
from understudy.language_models.asking import Unasked, Unscored
from understudy.language_models.endpoint import Patience
from understudy.language_models.estimates import Estimate
from understudy.language_models.prompt import prompt_text
from understudy.testing import check_metric

HYPOTHESES = ["the cat sat on a mat", "a dog barked", "rain"]
REFERENCES = ["the cat sat on the mat", "the dog barked loudly", "it rains"]
SOURCES = ["die Katze saß auf der Matte", "der Hund bellte laut", "es regnet"]
SCORES = [83.0, 57.0, 0.0]  # as the stand-in counts shared words
QUICK = Patience(calls=2, first=0.001, longest=0.001)


@pytest.fixture
def server():
    server = FaultyModel()
    with server.running():
        yield server


@pytest.fixture
def endpoint(server: FaultyModel, tmp_path: Path):
    with Endpoint(server.url, replies=tmp_path / "replies.sqlite3", patience=QUICK) as used:
        yield used


@pytest.mark.usefixtures("endpoint")
def test_scores():
    judge = LLMJudge(model="m")
    assert judge.segments(HYPOTHESES, REFERENCES, sources=SOURCES).tolist() == SCORES
    found = judge.corpus(HYPOTHESES, REFERENCES, sources=SOURCES)
    assert found.value == sum(SCORES) / 3
    assert judge.segment(HYPOTHESES[0], REFERENCES[0], SOURCES[0]).value == 83.0


def test_the_laws_of_metrics(tmp_path: Path):
    class Careful(StandIn):
        def answer(self, asked):
            texts = texts_in(asked["messages"][-1]["content"])
            ratio = SequenceMatcher(None, texts["translation"], texts["reference"], autojunk=False).ratio()
            return json.dumps({"score": 100 * ratio})

    with Careful().running() as url, Endpoint(url, replies=tmp_path / "replies.sqlite3", max_calls=None):
        check_metric(LLMJudge(model="m"))


def test_what_the_model_sees(server: FaultyModel, endpoint: Endpoint):
    for inputs, seen in (
        ("source", (True, False)),
        ("reference", (False, True)),
        ("source+reference", (True, True)),
    ):
        judge = LLMJudge(model="m", inputs=inputs)
        shown = [texts[:1] if each else None for texts, each in zip((SOURCES, REFERENCES), seen, strict=True)]
        judge.corpus(HYPOTHESES[:1], shown[1], sources=shown[0])
        message = server.requests[-1]["messages"][1]["content"]
        assert (SOURCES[0] in message, REFERENCES[0] in message) == seen
        assert (judge.reads_sources, judge.reads_references) == seen
    assert len(server.requests) == 3
    assert endpoint.tally.calls == 3


def test_texts_that_are_missing():
    with pytest.raises(BadParameter, match="reads the source text, but none is given"):
        LLMJudge(model="m").corpus(HYPOTHESES, REFERENCES)
    with pytest.raises(WrongType, match="references"):
        LLMJudge(model="m", inputs="reference").corpus(HYPOTHESES)


def test_signature_has_everything_but_the_server():
    judge = LLMJudge(model="some/model-7b", language="de-en", samples=3, temperature=0.5)
    assert str(judge.signature()).startswith(
        "multi:max|model:some/model-7b|prompt:score#3cc6b766|inputs:source+reference|lang:de-en|samples:3|"
        "temperature:0.5|seed:0|tries:3|format:auto|unscored:error|"
    )
    assert metric(judge.spec) == judge
    assert pickle.loads(pickle.dumps(judge)) == judge
    assert LLMJudge(model="m").for_language("de-en").language == "de-en"
    assert LLMJudge(model="m", language="fr").for_language("de-en").language == "fr"


@pytest.mark.usefixtures("endpoint")
def test_several_references_and_samples(server: FaultyModel):
    both = [[one, "unrelated words"] for one in REFERENCES]
    assert LLMJudge(model="m", inputs="reference").segments(HYPOTHESES, both).tolist() == SCORES
    mean = LLMJudge(model="m", inputs="reference", multi="mean")
    assert mean.segments(HYPOTHESES, both).tolist() == [value / 2 for value in SCORES]
    assert len(server.log) == 6

    class Varying(StandIn):
        def answer(self, asked):
            return f'{{"score": {50 + asked["seed"] // 1000 * 10}}}'

    sampled = LLMJudge(model="varying", inputs="reference", samples=3)
    with Varying().running() as url, Endpoint(url, replies=Endpoint.default.replies):
        found = sampled.corpus(HYPOTHESES, REFERENCES)
    assert (found.value, found.detail["sd"]) == (60.0, 10.0)
    assert found.explanation == "(SD 10.00 over 3 replies)"


def test_all_systems_are_asked_about_before_an_error(server: FaultyModel, endpoint: Endpoint):
    """The error comes when everything else is stored, and counts what has no score."""
    server.faults = {"bad": ["refusal"] * 99, "worse": ["status 500"] * 2}
    systems = Corpus.of_texts({"one": ["bad", "worse", "good"], "two": ["fine", "bad", "well"]}, REFERENCES)
    judge = "llm-judge:model=m,inputs=reference"
    with pytest.raises(Unscored, match=r"3 items of 6 without .* \(no reply \(HTTP 500\) 1, refusal 2\)"):
        score(systems, metrics=[judge])
    assert {*server.answered} == {"bad", "good", "fine", "well"}
    asked = len(server.log)
    found = score(systems, metrics=[f"{judge},unscored=worst"])
    assert len(server.log) == asked + 1  # 'worse', which had no reply
    assert "unscored:worst" in str(found["one"].scores[0].signature)
    assert "refusal" in endpoint.tally.sentence


def test_unscored_segments_get_the_worst_score(server: FaultyModel, endpoint: Endpoint, tmp_path: Path):
    server.faults = {"bad": ["refusal"] * 99}
    worst = {"score": 0.0, "spans": -25.0}
    for name, expected in worst.items():
        judge = LLMJudge(model="m", inputs="reference", prompt=name, unscored="worst", tries=1)
        assert judge.segments(["bad"], ["x"]).tolist() == [expected]
    mine = tmp_path / "mine.toml"
    mine.write_text(prompt_text("score").replace("higher_is_better = true", "higher_is_better = false"))
    judge = LLMJudge(model="m", inputs="reference", prompt=str(mine), unscored="worst", tries=1)
    assert judge.segments(["bad"], ["x"]).tolist() == [100.0]
    assert judge.higher_is_better is False
    assert judge.segments(["a b"], [["a b", "c d"]]).tolist() == [0.0]  # the best of two
    assert endpoint.tally.calls == 5


def test_costs_are_estimated_for_all_systems_at_once(server: FaultyModel, tmp_path: Path):
    plans = []

    def approve(planned: Estimate, _: str) -> bool:
        plans.append(planned)
        return True

    systems = {"a": HYPOTHESES, "b": [*HYPOTHESES[:2], "it rains"]}
    with Endpoint(server.url, replies=tmp_path / "r", approve=approve):
        score(systems, REFERENCES, sources=SOURCES, metrics=["llm-judge:model=m"])
    assert [plan.calls for plan in plans] == [4]
    with Endpoint(server.url, replies=tmp_path / "s", max_calls=3), pytest.raises(Unasked):
        compare(
            {"a": HYPOTHESES, "b": REFERENCES}, REFERENCES, sources=SOURCES, metrics=["llm-judge:model=m"]
        )
    assert len(server.log) == 4


@pytest.mark.usefixtures("endpoint")
def test_trust(server: FaultyModel, tmp_path: Path):
    human = tmp_path / "human.tsv"
    rows: list[tuple[object, ...]] = [("system", "seg", "score")]
    systems = {"a": HYPOTHESES, "b": REFERENCES}
    rows += [(name, row + 1, row) for name in systems for row in range(3)]
    human.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    judge = "llm-judge:model=m,inputs=reference"
    found = trust(str(human), systems, REFERENCES, metrics=[judge], samples=20)
    assert found.metrics[0].name.startswith("LLM judge")
    assert len(server.log) == 6


@pytest.mark.parametrize(("model", "moves"), [(StandIn, False), (Obedient, True)])
def test_probe_measures_how_far_an_injection_moves_the_score(
    tmp_path: Path, model: type[StandIn], moves: bool
):
    hypotheses = [f"{text} number {row}" for row in range(5) for text in HYPOTHESES]
    references = [f"{text} number {row}" for row in range(5) for text in REFERENCES]
    with model().running() as url, Endpoint(url, replies=tmp_path / "replies"):
        found = probe(
            hypotheses,
            references,
            metrics=["llm-judge:model=m,inputs=reference"],
            what="perturbations",
            perturbations="prompt-injection",
            samples=20,
        )
    (response,) = (each for each in found.perturbations.responses if each.perturbation == "prompt-injection")
    assert (response.difference.value > 20) == moves
    assert (response.difference.value < 0) != moves


def test_the_deviation_is_that_of_the_best_reference(tmp_path: Path):
    class Uncertain(StandIn):
        def answer(self, asked):
            texts = texts_in(asked["messages"][-1]["content"])
            return json.dumps(
                {"score": 80 if texts["reference"] == "good" else 10 + 40 * (asked["seed"] // 1000)}
            )

    judge = LLMJudge(model="m", inputs="reference", samples=2)
    with Uncertain().running() as url, Endpoint(url, replies=tmp_path / "r.sqlite3", parallel=1):
        found = judge.corpus(["a", "b"], [["good", "other"], ["other", "good"]])
    assert found.detail == {"score": 80.0, "sd": 0.0}


def test_probe_of_a_judge_without_references(tmp_path: Path):
    with Obedient().running() as url, Endpoint(url, replies=tmp_path / "replies"):
        found = probe(
            HYPOTHESES,
            REFERENCES,
            sources=SOURCES,
            metrics=["llm-judge:model=m,inputs=source"],
            what="perturbations",
            perturbations="prompt-injection",
            samples=20,
        )
    (response,) = (each for each in found.perturbations.responses if each.perturbation == "prompt-injection")
    assert response.difference.value > 20


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"prompt": "pairs"}, "a preference between two translations is not a score"),
        ({"prompt": "stars"}, "unknown prompt 'stars'"),
        ({"temperature": 3.0}, "temperature=3: expected a number from 0 to 2"),
        ({"samples": 0}, "samples=0: expected an integer from 1 to 100"),
        ({"language": "English"}, "is not a language code"),
        ({"inputs": "nothing"}, "inputs='nothing': expected source"),
    ],
)
def test_wrong_parameters(settings, said: str):
    with pytest.raises(BadParameter, match=said):
        LLMJudge(model="m", **settings)


def test_no_model_and_no_server(tmp_path: Path):
    assert "no model given" in LLMJudge().missing
    with pytest.raises(BadParameter, match="no model given"):
        LLMJudge().corpus(HYPOTHESES, REFERENCES, sources=SOURCES)
    with Endpoint(replies=tmp_path / "r"), pytest.raises(Unasked, match="No server is given"):
        LLMJudge(model="m").corpus(HYPOTHESES, REFERENCES, sources=SOURCES)


def test_prompts_that_use_less(tmp_path: Path, server: FaultyModel, endpoint: Endpoint):
    """What a prompt does not show is not read."""
    text = prompt_text("score")
    part = text[text.index('[[user]]\nif = "reference"') :]
    part = part[: part.index("[[user]]\ntext")]
    mine = tmp_path / "mine.toml"
    mine.write_text(text.replace(part, "").replace('["source", "reference"]', '["source"]'))
    judge = LLMJudge(model="m", prompt=str(mine))
    assert (judge.reads_sources, judge.reads_references) == (True, False)
    assert "inputs:source|" in str(judge.signature())
    judge.corpus(HYPOTHESES, sources=SOURCES)
    assert len(server.log) == endpoint.tally.calls == 3
    with pytest.raises(BadParameter, match="uses the source only"):
        LLMJudge(model="m", prompt=str(mine), inputs="reference")
