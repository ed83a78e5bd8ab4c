"""How fast `understudy probe` counts permutations and finds variants, on one core.

python bench/probing.py            1,000 segments of a system of WMT, and a segment of 20 words
python bench/probing.py --quick    a tenth of the segments

Every variant is verified by scoring. Figures are CPU time, the best of three runs, without reading the files.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from processes import best_call
from understudy import Corpus, metric
from understudy.probing.permutations.bounds import permutation_bounds
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.variants.verified import variants

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "wmt21.en-de"
SEGMENTS = 1_000

HYPOTHESIS = "Appeared calm when he was taken to the American plane, which will bring him to Miami, Florida."
REFERENCES = [
    "Orejuela appeared calm as he was led to the American plane which will take him to Miami, Florida.",
    "Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami.",
]


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the segments")
    segments = SEGMENTS // 10 if arguments.parse_args().quick else SEGMENTS
    one = probed([HYPOTHESIS], [REFERENCES])
    seconds, found = best_call(3, lambda: variants(one, ProbePlan(variants=1_000)))
    print(
        f"{found.count:,} verified variants of a segment of 20 words: {found.count / seconds:,.0f} a second "
        "(target: 1,000)"
    )
    if not DATA.is_dir():
        print("probe on 1,000 segments: left out, it needs the systems of wmt21.en-de")
        return
    system = real_system(segments)
    seconds, bounds = best_call(3, lambda: permutation_bounds(system))
    counted = sum(bound.distinct is not None for bound in bounds.segments)
    print(
        f"permutation bound of {segments:,} segments, different sentences counted in {counted:,}: {seconds:.2f} s "
        "(target: 1 s)"
    )
    seconds, found = best_call(3, lambda: variants(system, ProbePlan()))
    print(
        f"{found.count:,} verified variants of {segments:,} segments: {seconds:.1f} s, "
        f"{found.count / seconds:,.0f} a second"
    )


def real_system(segments: int) -> ProbedSystem:
    """The first system of the test set, with all its references."""
    path = min((DATA / "systems").iterdir())
    references = zip(*(lines(reference) for reference in sorted(DATA.glob("ref*"))), strict=True)
    return probed(lines(path)[:segments], [list(group) for group in references][:segments])


def probed(hypotheses: list[str], references: list[list[str]]) -> ProbedSystem:
    return ProbedSystem.of(
        Corpus.of_texts(hypotheses, references), [metric("bleu")], language=None, threads=1
    )


def lines(path: Path) -> list[str]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return raw.decode("utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
