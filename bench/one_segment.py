"""One pair of segments at a time, as most people score while they look at text: a call of ours beside sacreBLEU's."""

from __future__ import annotations

from processes import best_of, python
from rows import row

PAIR = (
    "The committee will meet again on Tuesday to discuss the plans for a new bridge over the river.",
    "The committee meets again next Tuesday in order to discuss plans for the new bridge across the river.",
)
# Seconds of CPU for a thousand calls; the score shows that both computed the same.
CALLED = """
import sys, time
SETUP
call = lambda: CALL
score = call()
start = time.process_time()
for _ in range(1000):
    call()
print(time.process_time() - start, SCORE)
"""
PEER = "from sacrebleu.metrics import BLEU, CHRF, TER\nmetric = {made}"
FACADE = "from understudy.compat.sacrebleu.metrics import BLEU, CHRF, TER\nmetric = {made}"
OURS = "from understudy import metric\nmetric = metric({spec!r})"
SENTENCE = ("metric.sentence_score(sys.argv[1], [sys.argv[2]])", "score.score")
SEGMENT = ("metric.segment(sys.argv[1], [sys.argv[2]])", "score.value")


def segment_rows() -> None:
    for name, made, spec, target in (
        ("BLEU", "BLEU(effective_order=True)", "bleu", ">= 3 x"),
        ("chrF", "CHRF()", "chrf", ">= 10 x"),
        ("TER", "TER()", "ter:sacrebleu", ">= 10 x"),
    ):
        theirs, ours, facade = best_of(
            7,
            called(PEER.format(made=made), *SENTENCE),
            called(OURS.format(spec=spec), *SEGMENT),
            called(FACADE.format(made=made), *SENTENCE),
        )
        seconds, scores = zip(
            *(map(float, cost.output.split()) for cost in (theirs, ours, facade)), strict=True
        )
        if len(set(scores)) > 1:
            raise SystemExit(f"{name} of one segment: the scores differ: {scores}")
        row(f"1,000 calls of segment, {name}, CPU, against sacreBLEU", seconds[0], seconds[1], target)
        row("  the same through understudy.compat.sacrebleu", seconds[0], seconds[2], target)


def called(setup: str, call: str, score: str) -> list[str]:
    return python(CALLED.replace("SETUP", setup).replace("CALL", call).replace("SCORE", score), *PAIR)
