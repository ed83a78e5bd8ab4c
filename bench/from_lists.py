"""Each metric beside another program's, both scoring the same Python lists of strings."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from processes import READ, best_of, python
from rows import row, thread_row

SCORED = """
hypotheses, references = lines(sys.argv[1]), lines(sys.argv[2])
start = time.process_time()
score = SCORE
print(time.process_time() - start, score)
"""


@dataclass(frozen=True)
class FromLists:
    """A row of the table: a metric of ours and the same of another program, of the same Python lists of strings.

    Only the scoring is timed, in CPU time, and the two scores must agree.
    """

    what: str  # {pairs} stands for their number
    target: str
    spec: str  # of our metric
    peer: str  # its score, an expression of `hypotheses` and `references`
    imports: str  # what the expression needs
    ours: str = "metric.corpus(hypotheses, references, threads=1).value"
    pairs: int | None = None  # where the peer is slow; else a tenth of the text
    threads_on: int | None = None  # one in so many pairs of the text, for a row of two threads against one
    threads_spec: str = ""  # of that row, where another metric of the kind is meant
    tolerance: float = 1e-12

    def show(self, texts: dict[int, list[str]], pairs: int) -> None:
        count = self.pairs or pairs // 10
        own = f"from understudy import metric\nmetric = metric({self.spec!r})\n"
        mine, theirs = best_of(
            3,
            python(READ + own + SCORED.replace("SCORE", self.ours), *texts[count]),
            python(READ + self.imports + SCORED.replace("SCORE", self.peer), *texts[count]),
        )
        what = self.what.format(pairs=f"{count:,}")
        (seconds, score), (peer_seconds, peer_score) = (
            map(float, cost.output.split()) for cost in (mine, theirs)
        )
        if abs(score - peer_score) > self.tolerance * abs(peer_score):
            sys.exit(f"{what}: the scores differ: {score!r} and {peer_score!r}")
        row(what, peer_seconds, seconds, self.target)
        if self.threads_on:
            thread_row(texts[pairs // self.threads_on], self.threads_spec or self.spec, runs=5)


FRACTION = "metric.corpus(hypotheses, references, threads=1).fraction"
NLTK = "([[r.split()] for r in references], [h.split() for h in hypotheses])"
FROM_LISTS = [
    FromLists(
        *("corpus BLEU from Python lists, CPU", ">= 60 x", "bleu"),
        *("sacrebleu.corpus_bleu(hypotheses, [references]).score", "import sacrebleu"),
    ),
    FromLists(
        *("segment BLEU from Python lists, CPU", "", "bleu"),
        "sum([sacrebleu.sentence_bleu(h, [r]).score for h, r in zip(hypotheses, references)])",
        "import sacrebleu",
        ours="sum(metric.segments(hypotheses, references, threads=1).tolist())",
    ),
    *(
        FromLists(
            *(f"corpus {spec} from Python lists, CPU", ">= 50 x", spec),
            f"sacrebleu.corpus_chrf(hypotheses, [references], word_order={words}).score",
            "import sacrebleu",
            threads_on=10,
        )
        for spec, words in (("chrf", 0), ("chrf++", 2))
    ),
    FromLists(
        *("TER of {pairs} pairs from Python lists, CPU", ">= 200 x", "ter:sacrebleu"),
        *("sacrebleu.corpus_ter(hypotheses, [references]).score", "import sacrebleu"),
        pairs=500,
        threads_on=10,
    ),
    FromLists(
        *("corpus WER from lists, CPU, against jiwer", ">= 1 x", "wer:jiwer"),
        *("jiwer.wer(references, hypotheses)", "import jiwer"),
        ours=FRACTION,
        threads_on=1,
        threads_spec="wer",
    ),
    # A test set of the usual size, and a large one: the more references, the less of their n-grams is in the cache.
    *(
        FromLists(
            *("corpus NIST of {pairs} pairs, CPU, against NLTK", ">= 50 x", "nist:nltk"),
            *("corpus_nist" + NLTK, "from nltk.translate.nist_score import corpus_nist"),
            pairs=pairs,
        )
        for pairs in (2_000, None)
    ),
    FromLists(
        *("corpus GLEU from lists, CPU, against NLTK", "", "gleu:nltk"),
        *("corpus_gleu" + NLTK, "from nltk.translate.gleu_score import corpus_gleu"),
        ours=FRACTION,
    ),
    FromLists(
        *("RIBES of {pairs} pairs from lists, CPU, against NLTK", "", "ribes:nltk"),
        *("corpus_ribes" + NLTK, "from nltk.translate.ribes_score import corpus_ribes"),
        ours=FRACTION,
        pairs=2_000,
    ),
    FromLists(
        *("CharacTER of {pairs} pairs, CPU, against cer", "", "character:character.py"),
        "calculate_cer_corpus([h.split() for h in hypotheses], [r.split() for r in references])['mean']",
        "from cer import calculate_cer_corpus",
        ours=FRACTION,
        pairs=500,
        tolerance=1e-3,  # the peer subtracts floating-point numbers, and makes shifts that gain 10^-17
    ),
    *(
        FromLists(
            f"{kind}{' with stems' if stem else ''} from lists, CPU, against rouge-score",
            *("", f"{kind}:use_stemmer={str(stem).lower()}"),
            f"sum(peer.score(r, h)['{kind}'].fmeasure for h, r in zip(hypotheses, references)) / len(hypotheses)",
            f"from rouge_score.rouge_scorer import RougeScorer\npeer = RougeScorer(['{kind}'], use_stemmer={stem})",
            ours=FRACTION,
            pairs=pairs,
        )
        for kind, stem, pairs in (
            ("rouge1", False, None),
            ("rouge2", False, None),
            ("rougeL", False, 2_000),
            ("rougeL", True, 2_000),
        )
    ),
]
