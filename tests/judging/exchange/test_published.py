"""Published judgments, imported: system order and means as their publishers have them, or as counted independently."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import understudy
from material.shared import SHARED, needs

DATA = SHARED / "data"
MQM = DATA / "wmt23.zh-en"
RANKS = DATA / "wmt12.cs-en.sgml-ranks"


def table(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def mqm():
    files = [str(MQM / "human.mqm.errors.tsv.gz"), str(MQM / "human.mqm.raters.tsv.gz")]
    return understudy.judge(files, samples=50)


@pytest.fixture(scope="module")
def published():
    rows = [row for row in table(MQM / "human.sys.tsv") if row["measure"] == "mqm"]
    return {row["system"]: float(row["score"]) for row in rows}


@needs(MQM)
class TestMQM:
    def test_the_order_of_systems_is_the_published_one(self, mqm, published):
        assert [mean.system for mean in mqm.questions[0].means] == sorted(
            published, key=lambda n: -published[n]
        )

    def test_means_are_the_published_ones(self, mqm, published):
        """To their six digits. Three segments of refA are missing in the published ratings of raters."""
        found = {mean.system: mean.mean.value for mean in mqm.questions[0].means}
        assert found.pop("refA") == pytest.approx(published.pop("refA"), abs=0.004)
        assert found == pytest.approx(published, abs=1e-6)

    def test_spans_are_counted_by_severity(self, mqm):
        rows = table(MQM / "human.mqm.errors.tsv.gz")
        expected = Counter((row["system"], row["severity"]) for row in rows)
        found = {
            (each.system, name): count
            for each in mqm.spans.systems
            for name, count in each.by_severity.items()
        }
        assert found == dict(expected)

    def test_the_default_weights_give_the_published_scores(self):
        """Of every rater and translation, from the categories and severities of the errors alone."""
        files = [str(MQM / "human.mqm.errors.tsv.gz"), str(MQM / "human.mqm.raters.tsv.gz")]
        found = understudy.read_judged(files, weights={})
        ratings = found.ratings["MQM"]
        scores = {
            (found.systems[system], found.segments[segment], found.judges[judge]): value
            for system, segment, judge, value in zip(
                *(getattr(ratings, name).tolist() for name in ("system", "segment", "judge", "value")),
                strict=True,
            )
        }
        rows = table(MQM / "human.mqm.raters.tsv.gz")
        expected = {(row["system"], int(row["seg"]), row["rater"]): float(row["score"]) for row in rows}
        assert scores == pytest.approx(expected, abs=1e-9)


@pytest.fixture(scope="module")
def counted():
    """Wins of every system over every other, counted line by line; and ties."""
    wins: Counter[tuple[str, str]] = Counter()
    ties: Counter[str] = Counter()
    for row in table(RANKS / "human.ranks.tsv"):
        ranked = [(row[f"system{place}"], int(row[f"rank{place}"])) for place in range(1, 6)]
        for (one, first), (other, second) in combinations(ranked, 2):
            if min(first, second) < 0:
                continue
            if first == second:
                ties[one] += 1
                ties[other] += 1
            else:
                wins[(one, other) if first < second else (other, one)] += 1
    return wins, ties


@pytest.fixture(scope="module")
def ranked():
    return understudy.judge(str(RANKS / "human.ranks.tsv"), samples=50).rankings


@needs(RANKS)
class TestRankings:
    def test_wins_losses_and_ties_are_those_counted(self, ranked, counted):
        wins, ties = counted
        for rate in ranked.win_rates:
            won = sum(count for (winner, _), count in wins.items() if winner == rate.system)
            lost = sum(count for (_, loser), count in wins.items() if loser == rate.system)
            assert (rate.wins, rate.losses, rate.ties) == (won, lost, ties[rate.system])

    def test_the_order_is_that_of_the_shares_of_wins(self, ranked, counted):
        wins, _ = counted

        def share(system):
            won = sum(count for (winner, _), count in wins.items() if winner == system)
            lost = sum(count for (_, loser), count in wins.items() if loser == system)
            return won / (won + lost)

        systems = {rate.system for rate in ranked.win_rates}
        assert [rate.system for rate in ranked.win_rates] == sorted(systems, key=share, reverse=True)

    def test_the_order_of_strengths_is_that_of_choix(self, ranked, counted):
        choix = pytest.importorskip("choix")
        names = sorted({name for pair in counted[0] for name in pair})
        data = [
            (names.index(winner), names.index(loser))
            for (winner, loser), count in counted[0].items()
            for _ in range(count)
        ]
        expected = choix.opt_pairwise(len(names), data)
        strengths = {each.system: each.strength.value for each in ranked.strengths.systems}
        assert sorted(names, key=strengths.get) == [names[place] for place in np.argsort(expected)]


@pytest.mark.parametrize("pair", ["ar-en", "fa-en"])
@pytest.mark.parametrize("question", ["adequacy", "fluency", "believability"])
def test_means_of_the_talks(pair, question):
    folder = DATA / f"ted.{pair}.adequacy-fluency"
    if not folder.exists():
        pytest.skip("reads ../shared/data, which is not part of the repository")
    path = folder / "human.raters.tsv.gz"
    by_segment: dict[str, list[float]] = {}
    for row in table(path):
        if row["question"] == question:
            by_segment.setdefault(row["seg"], []).append(float(row["score"]))
    expected = np.mean([np.mean(values) for values in by_segment.values()])
    (mean,) = understudy.judge(str(path), question=question, samples=2).questions[0].means
    assert mean.mean.value == pytest.approx(expected, abs=1e-9)
    assert mean.judgments == sum(map(len, by_segment.values()))
