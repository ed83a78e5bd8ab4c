"""How fast, beside what else is installed here: one run, one table of ratios.

    python bench/bench.py            everything (a few minutes: the peers are slow)
    python bench/bench.py --quick    a tenth of the text

Every figure is the best of several runs of a fresh process, peers and understudy taking turns, so that a busy
machine slows both. CPU time is user plus system time of the whole process, start-up of Python included, unless the
row says otherwise.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import shutil
import sys
from pathlib import Path

from from_lists import FROM_LISTS
from one_segment import segment_rows
from processes import (
    READ,
    Cost,
    best_of,
    python,
    run,
    script,
    understudy_command,
    understudy_in_process,
)
from rewards import REWARDS, rate_rows
from rows import row, thread_row
from text import ROOT, head, text_paths
from understudy import metric

PAIRS = 270_000
LONG = 5_000  # words of a long segment


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the text")
    options = arguments.parse_args()
    pairs = PAIRS // 10 if options.quick else PAIRS
    # In a process of its own: what a child is said to need at its peak includes what its parent held.
    origin = run([sys.executable, str(Path(__file__).with_name("text.py")), str(pairs)]).output
    hypotheses, references = text_paths(pairs)
    texts = {
        count: [str(head(path, count)) for path in (hypotheses, references)] for count in (500, 2_000, 5_000)
    }
    texts[pairs // 10] = small = [str(head(path, pairs // 10)) for path in (hypotheses, references)]
    texts[pairs] = [str(hypotheses), str(references)]
    print(f"{pairs:,} pairs from {origin}; Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    print(f"{'what':<58} {'peer':>10} {'understudy':>10} {'ratio':>8}  target")

    whole, peer = bleu_rows(texts[pairs])
    for beside in [*FROM_LISTS, *REWARDS]:
        beside.show(texts, pairs)
    rate_rows(texts[2_000])
    segment_rows()
    meteor_rows(texts[5_000])
    compare_row()
    long_segment_rows(hypotheses, references)
    print("\n" + run([sys.executable, str(Path(__file__).with_name("trees.py"))]).output + "\n")
    start_rows(texts[2_000], [str(head(path, 60)) for path in (hypotheses, references)])
    print(run([sys.executable, str(Path(__file__).with_name("agreement.py"))]).output)
    print(run([sys.executable, str(Path(__file__).with_name("probing.py"))]).output)
    print(run([sys.executable, str(Path(__file__).with_name("deciding.py"))]).output)
    print(run([sys.executable, str(Path(__file__).with_name("tuning.py"))]).output)
    print(run([sys.executable, str(Path(__file__).with_name("encoding.py"))]).output)

    short = best_of(3, understudy_command(*small))[0]
    print(
        f"\npeak memory of the command: {short.memory:.0f} MiB on {pairs // 10:,} pairs, "
        f"{whole.memory:.0f} MiB on {pairs:,}; sacreBLEU {peer.memory:.0f} MiB"
    )


# --- the rows of the table, by metric; each takes its texts as (hypotheses, references) ------------------------


def bleu_rows(text: list[str]) -> tuple[Cost, Cost]:
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
    row("  the same, whole command with its start-up", words.cpu, whole.cpu, "<= 1.5 x", times=True)
    row("corpus BLEU from files, CPU, against sacreBLEU", peer.cpu, whole.cpu, ">= 80 x")
    row("  the same, two threads against one, wall", inner_one["wall"], inner_two["wall"], ">= 1.6 x")
    return whole, peer


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


def start_rows(text: list[str], few: list[str]) -> None:
    nothing, theirs, ours = best_of(
        15, python("pass"), python("import sacrebleu"), python("import understudy")
    )
    row("import, wall", theirs.wall, ours.wall, ">= 2 x")
    row("  the same, less Python's own start", theirs.wall - nothing.wall, ours.wall - nothing.wall, "")
    theirs, ours = best_of(7, [str(script("sacrebleu")), text[1], "-i", text[0]], understudy_command(*text))
    row("command on 2,000 pairs, wall", theirs.wall, ours.wall, ">= 2 x")
    theirs, ours = best_of(15, [str(script("sacrebleu")), few[1], "-i", few[0]], understudy_command(*few))
    row("command on 60 pairs, CPU", theirs.cpu, ours.cpu, ">= 1 x")
    row("  the same, wall", theirs.wall, ours.wall, ">= 1 x")


def first_number(cost: Cost) -> float:
    """Of what a process printed: its own time."""
    return float(cost.output.split()[0])


# --- what is run, each in a process of its own -----------------------------------------------------------------

PEER_CORPUS = "print(repr(sacrebleu.corpus_bleu(lines(sys.argv[1]), [lines(sys.argv[2])]).score))"
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


if __name__ == "__main__":
    if not shutil.which("wc"):
        sys.exit("this benchmark compares with wc, which is not here")
    main()
