"""How fast, beside what else is installed here: one run, one table of ratios.

    python bench/bench.py            everything (a few minutes: the peers are slow)
    python bench/bench.py --quick    a tenth of the text

Every figure is the best of several runs of a fresh process, peers and understudy taking turns, so that a busy
machine slows both. CPU time is user plus system time of the whole process, start-up of Python included, unless the
row says otherwise.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from understudy import metric

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "bench"
PAIRS = 270_000
LONG = 5_000  # words of a long segment


@dataclass
class Cost:
    cpu: float  # seconds
    wall: float
    memory: float  # MiB at the peak
    output: str = ""


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the text")
    arguments.add_argument("--write-text", type=int, metavar="PAIRS", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.write_text:
        print(write_text(options.write_text))
        return
    pairs = PAIRS // 10 if options.quick else PAIRS
    # In a process of its own: what a child is said to need at its peak includes what its parent held.
    origin = run([sys.executable, __file__, "--write-text", str(pairs)]).output
    hypotheses, references = text_paths(pairs)
    small = [head(path, pairs // 10) for path in (hypotheses, references)]
    two_thousand = [head(path, 2_000) for path in (hypotheses, references)]
    print(f"{pairs:,} pairs from {origin}; Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    print(f"{'what':<58} {'peer':>10} {'understudy':>10} {'ratio':>8}  target")

    whole, peer = bleu_rows([str(hypotheses), str(references)], [str(path) for path in small])
    few = [str(head(path, 500)) for path in (hypotheses, references)]
    chrf_rows([str(path) for path in small])
    ter_rows(few, [str(path) for path in small])
    wer_rows([str(path) for path in small], [str(hypotheses), str(references)])
    nist_rows({2_000: [str(path) for path in two_thousand], pairs // 10: [str(path) for path in small]})
    gleu_row([str(path) for path in small])
    ribes_row([str(path) for path in two_thousand])
    character_row(few)
    rouge_rows([str(path) for path in small], [str(path) for path in two_thousand])
    meteor_rows([str(head(path, 5_000)) for path in (hypotheses, references)])
    compare_row()
    long_segment_rows(hypotheses, references)
    start_rows([str(path) for path in two_thousand])

    short = best_of(3, understudy_command(*(str(path) for path in small)))[0]
    print(
        f"\npeak memory of the command: {short.memory:.0f} MiB on {pairs // 10:,} pairs, "
        f"{whole.memory:.0f} MiB on {pairs:,}; sacreBLEU {peer.memory:.0f} MiB"
    )


# --- the rows of the table, by metric; each takes its texts as (hypotheses, references) ------------------------


def bleu_rows(text: list[str], part: list[str]) -> tuple[Cost, Cost]:
    words, one, two = best_of(
        7,
        ["wc", "-w", *text],
        understudy_in_process(*text, threads=1),
        understudy_in_process(*text, threads=2),
    )
    whole = best_of(5, understudy_command(*text, "--threads", "1"))[0]
    inner_one, inner_two = json.loads(one.output), json.loads(two.output)
    peer = best_of(1, python("import sacrebleu, sys\n" + READ + PEER_CORPUS, *text))[0]
    if abs(float(peer.output) - inner_one["value"]) > 1e-12:
        sys.exit(f"the scores differ: {peer.output} and {inner_one['value']}")
    row("corpus BLEU from files, CPU, against wc -w", words.cpu, inner_one["cpu"], "<= 1.5 x", times=True)
    row("  the same, whole command with its start-up", words.cpu, whole.cpu, "", times=True)
    row("corpus BLEU from files, CPU, against sacreBLEU", peer.cpu, whole.cpu, ">= 80 x")
    row("  the same, two threads against one, wall", inner_one["wall"], inner_two["wall"], ">= 1.6 x")
    ours, theirs = best_of(3, python(READ + OUR_LISTS, *part), python(READ + PEER_LISTS, *part))
    row("corpus BLEU from Python lists, CPU", float(theirs.output), float(ours.output), ">= 60 x")
    ours, theirs = best_of(3, python(READ + OUR_SEGMENTS, *part), python(READ + PEER_SEGMENTS, *part))
    row("segment BLEU from Python lists, CPU", float(theirs.output), float(ours.output), "")
    return whole, peer


def chrf_rows(text: list[str]) -> None:
    for spec, code in PEER_CHRF.items():
        ours, theirs = best_of(2, python(READ + OUR_CHRF, *text, spec), python(READ + code, *text))
        row(f"corpus {spec} from Python lists, CPU", float(theirs.output), float(ours.output), ">= 50 x")
        thread_row(text, spec, runs=5)


def ter_rows(text: list[str], more: list[str]) -> None:
    ours, theirs = best_of(3, python(READ + OUR_TER, *text), python(READ + PEER_TER, *text))
    if abs(float(ours.output.split()[1]) - float(theirs.output.split()[1])) > 1e-12:
        sys.exit(f"the TER scores differ: {ours.output} and {theirs.output}")
    row("TER of 500 pairs from Python lists, CPU", first_number(theirs), first_number(ours), ">= 200 x")
    thread_row(more, "ter", runs=5)


def wer_rows(text: list[str], more: list[str]) -> None:
    ours, theirs = best_of(3, python(READ + OUR_WER, *text), python(READ + PEER_WER, *text))
    row("corpus WER from lists, CPU, against jiwer", float(theirs.output), float(ours.output), ">= 1 x")
    thread_row(more, "wer", runs=7)


def nist_rows(texts: dict[int, list[str]]) -> None:
    """A test set of the usual size, and a large one: the more references, the less of their n-grams is in the cache."""
    for pairs, text in texts.items():
        ours, theirs = best_of(3, python(READ + OUR_NIST, *text), python(READ + PEER_NIST, *text))
        what = f"corpus NIST of {pairs:,} pairs, CPU, against NLTK"
        row(what, float(theirs.output), float(ours.output), ">= 50 x")


def gleu_row(text: list[str]) -> None:
    same_score_row("corpus GLEU from lists, CPU, against NLTK", text, OUR_GLEU, PEER_GLEU)


def ribes_row(text: list[str]) -> None:
    same_score_row("RIBES of 2,000 pairs from lists, CPU, against NLTK", text, OUR_RIBES, PEER_RIBES)


def rouge_rows(text: list[str], few: list[str]) -> None:
    for kind, stem, part in (
        ("rouge1", False, text),
        ("rouge2", False, text),
        ("rougeL", False, few),
        ("rougeL", True, few),
    ):
        ours, peer = (
            code.replace("KIND", kind).replace("STEM", str(stem)) for code in (OUR_ROUGE, PEER_ROUGE)
        )
        what = f"{kind}{' with stems' if stem else ''} from lists, CPU, against rouge-score"
        same_score_row(what, part, ours, peer)


def same_score_row(what: str, text: list[str], ours: str, peer: str) -> None:
    """Two programs that print their time and their score, which must agree."""
    mine, theirs = best_of(3, python(READ + ours, *text), python(READ + peer, *text))
    scores = [float(cost.output.split()[1]) for cost in (mine, theirs)]
    if abs(scores[0] - scores[1]) > 1e-12 * abs(scores[1]):
        sys.exit(f"{what}: the scores differ: {scores[0]!r} and {scores[1]!r}")
    row(what, first_number(theirs), first_number(mine), "")


def character_row(text: list[str]) -> None:
    ours, theirs = best_of(3, python(READ + OUR_CHARACTER, *text), python(READ + PEER_CHARACTER, *text))
    row("CharacTER of 500 pairs, CPU, against cer", float(theirs.output), float(ours.output), "")


def meteor_rows(text: list[str]) -> None:
    """Beside the Java program, on one core; what it takes to start and to read its tables is left out of both."""
    spec = importlib.util.find_spec("pycocoevalcap")
    folders = list(spec.submodule_search_locations or []) if spec else []
    if not folders or shutil.which("java") is None:
        print("METEOR: left out, it needs Java and pycocoevalcap")
        return
    jar = Path(folders[0]) / "meteor" / "meteor-1.5.jar"
    java = ["java", "-Xmx3G", "-XX:ActiveProcessorCount=1", "-XX:+UseSerialGC", "-jar", str(jar)]
    one = [str(head(Path(path), 1)) for path in text]
    start, theirs, ours = best_of(
        2,
        [*java, *one, "-l", "en", "-norm", "-q"],
        [*java, *text, "-l", "en", "-norm", "-q"],
        understudy_in_process(*text, threads=1, metric="meteor"),
    )
    cpu = json.loads(ours.output)["cpu"]
    row("METEOR from files, CPU, against the Java program", theirs.cpu - start.cpu, cpu, ">= 5 x")
    thread_row(text, "meteor", 3)


def compare_row() -> None:
    """All pairs of all systems of a test set, 1,000 samples, BLEU and chrF. The peer's time is that of two pairs, times
    half the number of pairs; both count the statistics of the systems.
    """
    folder = ROOT.parent / "shared" / "data" / "wmt21.en-de"
    systems = sorted(str(path) for path in folder.glob("systems/*"))
    if not systems:
        print("compare: left out, it needs the systems of wmt21.en-de")
        return
    reference = str(folder / "refA.txt")
    ours, theirs = best_of(
        2, python(OUR_PAIRS, reference, *systems), python(PEER_PAIRS, reference, *systems[:3])
    )
    pairs = len(systems) * (len(systems) - 1) // 2
    what = f"paired bootstrap of {pairs} pairs, CPU, against sacreBLEU"
    row(what, first_number(theirs) / 2 * pairs, first_number(ours), ">= 30 x")
    print(f"{'  peak memory':<58} {theirs.memory:>6.0f} MiB {ours.memory:>6.0f} MiB            < 1 GB")


def long_segment_rows(hypotheses: Path, references: Path) -> None:
    """A segment of 5,000 words, real text or made to be hard: seconds of CPU and the peak of memory, data included."""
    real = [one_segment(path, LONG) for path in (hypotheses, references)]
    # Four words, any of which METEOR's tables take for any other.
    generator = random.Random(1)
    words = ["is", "are", "was", "were"]
    hostile = [" ".join(generator.choices(words, k=LONG)) for _ in range(2)]
    print(f"\n{f'a pair of {LONG:,} words':<58} {'CPU':>10} {'peak':>10}")
    for spec, what, (hypothesis, reference) in (
        ("character", "CharacTER, real text", real),
        ("eed", "EED, real text", real),
        ("ter", "TER, real text", real),
        ("meteor", "METEOR, real text", real),
        ("meteor", "METEOR, four words that mean the same", hostile),
    ):
        if lacks := metric(spec).missing:
            print(f"{what}: left out. {lacks}")
            continue
        (cost,) = best_of(1, python(OUR_SEGMENT, spec, hypothesis, reference))
        print(f"{what:<58} {float(cost.output):>9.2f}s {cost.memory:>6.0f} MiB")


def one_segment(path: Path, words: int) -> str:
    """The first words of a file."""
    found: list[str] = []
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            found += line.split()
            if len(found) >= words:
                break
    return " ".join(found[:words])


def thread_row(text: list[str], spec: str, runs: int) -> None:
    one, two = best_of(
        runs,
        understudy_in_process(*text, threads=1, metric=spec),
        understudy_in_process(*text, threads=2, metric=spec),
    )
    walls = [json.loads(cost.output)["wall"] for cost in (one, two)]
    row("  from files, two threads against one, wall", walls[0], walls[1], ">= 1.6 x")


def start_rows(text: list[str]) -> None:
    nothing, theirs, ours = best_of(
        15, python("pass"), python("import sacrebleu"), python("import understudy")
    )
    row("import, wall", theirs.wall, ours.wall, ">= 2 x")
    row("  the same, less Python's own start", theirs.wall - nothing.wall, ours.wall - nothing.wall, "")
    theirs, ours = best_of(7, [str(script("sacrebleu")), text[1], "-i", text[0]], understudy_command(*text))
    row("command on 2,000 pairs, wall", theirs.wall, ours.wall, ">= 2 x")


def row(what: str, peer: float, ours: float, target: str, *, times: bool = False) -> None:
    """A line of the table. `times`: understudy's cost as a multiple of the peer's, else the reverse."""
    ratio = ours / peer if times else peer / ours
    print(f"{what:<58} {peer:>9.3f}s {ours:>9.3f}s {ratio:>6.1f} x  {target}")


def first_number(cost: Cost) -> float:
    """Of what a process printed: its own time."""
    return float(cost.output.split()[0])


# --- what is run, each in a process of its own -----------------------------------------------------------------

READ = """
import sys, time
def lines(path):
    with open(path, encoding="utf-8", newline="\\n") as file:
        return file.read().split("\\n")[:-1]
"""
PEER_CORPUS = "print(repr(sacrebleu.corpus_bleu(lines(sys.argv[1]), [lines(sys.argv[2])]).score))"
FROM_LISTS = """
hypotheses, references = lines(sys.argv[1]), lines(sys.argv[2])
start = time.process_time()
{}
print(time.process_time() - start)
"""
OUR_LISTS = "from understudy import BLEU\n" + FROM_LISTS.format(
    "BLEU().corpus(hypotheses, references, threads=1)"
)
PEER_LISTS = "import sacrebleu\n" + FROM_LISTS.format("sacrebleu.corpus_bleu(hypotheses, [references])")
OUR_SEGMENTS = "from understudy import BLEU\n" + FROM_LISTS.format(
    "BLEU().segments(hypotheses, references, threads=1)"
)
PEER_SEGMENTS = "import sacrebleu\n" + FROM_LISTS.format(
    "[sacrebleu.sentence_bleu(h, [r]) for h, r in zip(hypotheses, references)]"
)
OUR_WER = "from understudy import WER\n" + FROM_LISTS.format(
    'WER.preset("jiwer").corpus(hypotheses, references, threads=1)'
)
PEER_WER = "import jiwer\n" + FROM_LISTS.format("jiwer.wer(references, hypotheses)")
OUR_CHRF = "from understudy import metric\nmetric = metric(sys.argv[3])\n" + FROM_LISTS.format(
    "metric.corpus(hypotheses, references, threads=1)"
)
PEER_CHRF = {
    spec: "import sacrebleu\n"
    + FROM_LISTS.format(f"sacrebleu.corpus_chrf(hypotheses, [references], word_order={words})")
    for spec, words in (("chrf", 0), ("chrf++", 2))
}
# The peer remembers texts that it has tokenized, but not alignments: one process for one run.
SCORED_FROM_LISTS = """
hypotheses, references = lines(sys.argv[1]), lines(sys.argv[2])
start = time.process_time()
score = {}
print(time.process_time() - start, score)
"""
OUR_TER = "from understudy import TER\n" + SCORED_FROM_LISTS.format(
    "TER.preset('sacrebleu').corpus(hypotheses, references, threads=1).value"
)
PEER_TER = "import sacrebleu\n" + SCORED_FROM_LISTS.format(
    "sacrebleu.corpus_ter(hypotheses, [references]).score"
)
OUR_NIST = "from understudy import NIST\nnist = NIST.preset('nltk')\n" + FROM_LISTS.format(
    "nist.corpus(hypotheses, references, threads=1)"
)
PEER_NIST = "from nltk.translate.nist_score import corpus_nist\n" + FROM_LISTS.format(
    "corpus_nist([[r.split()] for r in references], [h.split() for h in hypotheses])"
)
OUR_GLEU = "from understudy import GLEU\ngleu = GLEU.preset('nltk')\n" + SCORED_FROM_LISTS.format(
    "gleu.corpus(hypotheses, references, threads=1).fraction"
)
PEER_GLEU = "from nltk.translate.gleu_score import corpus_gleu\n" + SCORED_FROM_LISTS.format(
    "corpus_gleu([[r.split()] for r in references], [h.split() for h in hypotheses])"
)
OUR_RIBES = "from understudy import RIBES\nribes = RIBES.preset('nltk')\n" + SCORED_FROM_LISTS.format(
    "ribes.corpus(hypotheses, references, threads=1).fraction"
)
PEER_RIBES = "from nltk.translate.ribes_score import corpus_ribes\n" + SCORED_FROM_LISTS.format(
    "corpus_ribes([[r.split()] for r in references], [h.split() for h in hypotheses])"
)
OUR_CHARACTER = (
    "from understudy import CharacTER\nmetric = CharacTER.preset('character.py')\n"
    + FROM_LISTS.format("metric.corpus(hypotheses, references, threads=1)")
)
PEER_CHARACTER = "from cer import calculate_cer_corpus\n" + FROM_LISTS.format(
    "calculate_cer_corpus([h.split() for h in hypotheses], [r.split() for r in references])"
)
OUR_ROUGE = (
    "from understudy import ROUGE\nrouge = ROUGE.preset('KIND'.lower(), use_stemmer=STEM)\n"
    + SCORED_FROM_LISTS.format("rouge.corpus(hypotheses, references, threads=1).fraction")
)
PEER_ROUGE = (
    "from rouge_score.rouge_scorer import RougeScorer\npeer = RougeScorer(['KIND'], use_stemmer=STEM)\n"
    + SCORED_FROM_LISTS.format(
        "sum(peer.score(r, h)['KIND'].fmeasure for h, r in zip(hypotheses, references)) / len(hypotheses)"
    )
)
IN_PROCESS = """
import json, sys, time
from understudy import score
score([sys.argv[1]], [sys.argv[2]], [sys.argv[4]], threads=1)
wall, cpu = time.perf_counter(), time.process_time()
result = score([sys.argv[1]], [sys.argv[2]], [sys.argv[4]], threads=int(sys.argv[3]))
print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall,
                  "value": result.systems[0].scores[0].value}))
"""


OUR_SEGMENT = """
import sys, time
from understudy import metric
spec, hypothesis, reference = sys.argv[1:]
chosen = metric(spec)
chosen.corpus(["a"], ["b"])  # so that its data are read
start = time.process_time()
chosen.corpus([hypothesis], [reference], threads=1)
print(time.process_time() - start)
"""
OUR_PAIRS = """
import sys, time
from understudy import compare
start = time.process_time()
compare(sys.argv[2:], [sys.argv[1]], ["bleu", "chrf"], all_pairs=True, samples=1000)
print(time.process_time() - start)
"""
PEER_PAIRS = """
import gzip, sys, time
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest
def lines(path):
    opened = gzip.open if path.endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8").read().split("\\n")[:-1]
reference, *systems = sys.argv[1:]
named = [(path, lines(path)) for path in systems]
start = time.process_time()
PairedTest(named, {"BLEU": BLEU(), "chrF": CHRF()}, [lines(reference)], test_type="bs", n_samples=1000)()
print(time.process_time() - start)
"""


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def understudy_in_process(
    hypotheses: str, references: str, *, threads: int, metric: str = "bleu"
) -> list[str]:
    return python(IN_PROCESS, hypotheses, references, str(threads), metric)


def understudy_command(hypotheses: str, references: str, *options: str) -> list[str]:
    return [str(script("understudy")), "score", hypotheses, "-r", references, *options]


def script(name: str) -> Path:
    return Path(sys.executable).with_name(name)


def best_of(runs: int, *commands: list[str]) -> list[Cost]:
    """The cheapest of several runs of each command, the commands taking turns."""
    costs: list[list[Cost]] = [[] for _ in commands]
    for _ in range(runs):
        for command, seen in zip(commands, costs, strict=True):
            seen.append(run(command))
    return [
        Cost(
            min(cost.cpu for cost in seen),
            min(cost.wall for cost in seen),
            min(cost.memory for cost in seen),
            min(seen, key=lambda cost: cost.wall).output,
        )
        for seen in costs
    ]


def run(command: list[str]) -> Cost:
    start = time.perf_counter()
    with tempfile.TemporaryFile() as complaints:  # some peers say much
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, cwd=ROOT)
        assert process.stdout is not None
        output = process.stdout.read().decode()
        complaints.seek(0)
        said = complaints.read()[-1000:].decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{said}")
    wall = time.perf_counter() - start
    return Cost(usage.ru_utime + usage.ru_stime, wall, _mebibytes(usage), output.strip())


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)  # macOS counts bytes


# --- the text ----------------------------------------------------------------------------------------------------


def text_paths(pairs: int) -> tuple[Path, Path]:
    return WORK / f"hypotheses-{pairs}.txt", WORK / f"references-{pairs}.txt"


def write_text(pairs: int) -> str:
    """Two files of real translations and references, repeated until there are enough; says where from."""
    data = ROOT.parent / "shared" / "data"
    found = list(real_pairs(data)) if data.is_dir() else []
    origin = "WMT outputs" if found else "the example data (no ../shared/data here)"
    found = found or list(example_pairs())
    WORK.mkdir(parents=True, exist_ok=True)
    repeated = [found[index % len(found)] for index in range(pairs)]
    for side, path in enumerate(text_paths(pairs)):
        path.write_text("".join(pair[side] + "\n" for pair in repeated), encoding="utf-8", newline="\n")
    return origin


def real_pairs(data: Path) -> Iterator[tuple[str, str]]:
    for folder, reference in [
        ("wmt23.zh-en", "refA.txt"),
        ("wmt21.en-de", "refA.txt"),
        ("wmt21.de-en", "refA.txt"),
        ("wmt19.en-de.multiref", "ref.wmt.txt.gz"),
    ]:
        for system in sorted((data / folder / "systems").iterdir()):
            yield from zip(read_lines(system), read_lines(data / folder / reference), strict=True)


def example_pairs() -> Iterator[tuple[str, str]]:
    for system in sorted((ROOT / "examples").glob("system-*.en")):
        yield from zip(read_lines(system), read_lines(ROOT / "examples" / "reference-1.en"), strict=True)


def read_lines(path: Path) -> list[str]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8").split("\n")[:-1]


def head(path: Path, count: int) -> Path:
    target = path.with_name(f"{path.stem}-{count}.txt")
    with path.open("rb") as source, target.open("wb") as copy:
        for _, line in zip(range(count), source, strict=False):
            copy.write(line)
    return target


if __name__ == "__main__":
    if not shutil.which("wc"):
        sys.exit("this benchmark compares with wc, which is not here")
    main()
