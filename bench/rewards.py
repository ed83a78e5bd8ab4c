"""Rewards a second: `metric.rewards` beside what training loops call once per sentence, and expected BLEU.

    python bench/rewards.py        also part of bench.py

One thread, CPU time, the best of three runs. Both sides get Python lists of strings and return one reward per segment;
the means must agree. Further rows have a million rewards from lists, and expected BLEU.
"""

from __future__ import annotations

import importlib.util

from from_lists import FromLists
from processes import READ, python, run
from text import head, text_paths, write_text

PAIRS = 2_000
MILLION = 1_000_000
OURS = "metric.rewards(hypotheses, references, threads=1).mean(dtype='float64')"
SENTENCES = (
    "sum(peer.sentence_score(h, [r]).score for h, r in zip(hypotheses, references)) / len(references) / 100"
)
SACREBLEU = "from sacrebleu.metrics import BLEU, CHRF, TER\npeer = {made}\n"
# As in the loops of reinforcement learning: split at spaces, one call per sentence.
NLTK_BLEU = (
    "sum(sentence_bleu([r.split()], h.split(), smoothing_function=smooth) for h, r in zip(hypotheses, references))"
    " / len(references)"
)
NLTK_GLEU = (
    "sum(sentence_gleu([r.split()], h.split()) for h, r in zip(hypotheses, references)) / len(references)"
)
# nltk.sentence_bleu with method2; an order longer than the hypothesis counts there as 1 of 2, here too.
SAME_AS_METHOD_2 = "bleu:tokenize=none,smooth=add-k,effective_order=false,empty_order=count-one"


def rewards(what: str, target: str, spec: str, peer: str, imports: str) -> FromLists:
    return FromLists(what, target, spec, peer, imports, OURS, PAIRS, tolerance=1e-6)  # of 32-bit rewards


REWARDS = [
    rewards(
        "{pairs} rewards, BLEU, CPU, against sacreBLEU",
        *(">= 20 x", "bleu", SENTENCES),
        SACREBLEU.format(made="BLEU(effective_order=True)"),
    ),
    rewards(
        "{pairs} rewards, chrF, CPU, against sacreBLEU",
        *(">= 20 x", "chrf", SENTENCES),
        SACREBLEU.format(made="CHRF()"),
    ),
    rewards(
        "{pairs} rewards, BLEU, CPU, against NLTK's sentence_bleu",
        *(">= 20 x", SAME_AS_METHOD_2, NLTK_BLEU),
        "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu\n"
        "smooth = SmoothingFunction().method2\n",
    ),
    rewards(
        "{pairs} rewards, GLEU, CPU, against NLTK's sentence_gleu",
        *(">= 20 x", "gleu:nltk", NLTK_GLEU),
        "from nltk.translate.gleu_score import sentence_gleu\n",
    ),
]
RATES = """
from understudy import metric
hypotheses, references = lines(sys.argv[1]), lines(sys.argv[2])
for spec in ("bleu", "gleu", "chrf", "ter"):
    rewarded, seconds = metric(spec), []
    for _ in range(5):
        start = time.process_time()
        rewarded.rewards(hypotheses, references, threads=1)
        seconds.append(time.process_time() - start)
    print(f"{spec + ': rewards a second, one thread':<58} {len(hypotheses) / min(seconds):>12,.0f}")
"""
MANY = """
import resource
from understudy import metric
hypotheses, references = lines(sys.argv[1]), lines(sys.argv[2])
times = int(sys.argv[3]) // len(hypotheses)
hypotheses, references = hypotheses * times, references * times
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
made = metric("bleu").rewards(hypotheses, references, threads=1)
spent = time.process_time() - start
print(len(made), spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, made.nbytes / 2**20)
"""
SURROGATE = """
import time, resource, torch
from understudy import ExpectedBLEU
torch.set_num_threads(1)
torch.manual_seed(0)
segments, positions, vocabulary = 16, 64, 32_000
logits = torch.randn(segments, positions, vocabulary, requires_grad=True)
references = torch.randint(vocabulary, (segments, positions))
expected = ExpectedBLEU()
seconds = []
for _ in range(3):
    probabilities = logits.softmax(-1)
    start = time.process_time()
    expected(probabilities, references).segments.mean().backward()
    seconds.append(time.process_time() - start)
print(min(seconds), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, logits.numel() * 4 / 2**20)
"""


def rate_rows(text: list[str]) -> None:
    print(run(python(READ + RATES, *text)).output)
    count, seconds, grown, kept = map(float, run(python(READ + MANY, *text, str(MILLION))).output.split())
    what = f"{count:,.0f} rewards, BLEU, from lists"
    print(f"{what:<58} {seconds:>9.2f}s CPU, {grown:.0f} MiB more at the peak, of which {kept:.0f} returned")
    if importlib.util.find_spec("torch") is None:
        print("expected BLEU: left out, it needs torch")
        return
    seconds, peak, logits = map(float, run(python(SURROGATE)).output.split())
    what = "expected BLEU, 16 x 64 x 32,000, forward and backward"
    print(f"{what:<58} {seconds:>9.2f}s CPU, {peak:.0f} MiB at the peak; the logits alone are {logits:.0f}")


def main() -> None:
    write_text(PAIRS)
    text = [str(head(path, PAIRS)) for path in text_paths(PAIRS)]
    for beside in REWARDS:
        beside.show({PAIRS: text}, PAIRS)
    rate_rows(text)


if __name__ == "__main__":
    main()
