"""A comparison with everything in it, made by hand and from the examples: for whoever shows comparisons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from understudy.breakdown.results import Breakdown, Bucket, Bucketing, NgramDifference, SegmentView
from understudy.comparing.results import Comparison
from understudy.comparing.run import compare
from understudy.studies.references_study import ReferencesStudy, study_references

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = ("strong", "medium", "rulebased", "weak")
REFERENCE = EXAMPLES / "reference-1.en"

# What a page must not be broken by, and must show the right way round.
TEXTS = (
    ("Town library reopens", "City library opens again"),
    ("The <b>cost</b> was €4.6 million & more.", "The cost was 4.6 million <script>alert(1)</script>"),
    ("أعيد افتتاح مكتبة المدينة بعد عامين.", "افتتحت مكتبة المدينة بعد عامين من جديد."),
    ("市图书馆经过两年重新开放。", "市图书馆在两年后重新开放。"),
    ("図書館は二年ぶりに再開した。", ""),
    ("A smile 😀 says more", "A smile 😀 says less than one would think " * 6),
)


def files(names: tuple[str, ...] = SYSTEMS) -> dict[str, Path]:
    return {name: EXAMPLES / f"system-{name}.en" for name in names}


def compared(**plan: Any) -> Comparison:
    """The example systems by two metrics, one of which is better the lower it is."""
    chosen: dict[str, Any] = {"all_pairs": True, "samples": 200, **plan}
    return compare(files(), [REFERENCE], ["bleu", "ter"], **chosen)


def studies() -> list[ReferencesStudy]:
    """How the example systems would be ranked with fewer references."""
    return study_references(files(), [REFERENCE, EXAMPLES / "reference-2.en"], ["bleu", "ter"], draws=3)


def breakdown(segments: int = 60, systems: tuple[str, ...] = SYSTEMS) -> Breakdown:
    """Buckets, n-grams and segments, the same every time."""
    spread = range(len(systems))
    return Breakdown(
        [
            Bucketing(
                "length of the reference",
                "segments",
                "BLEU",
                [
                    Bucket(label, 10 + i, {system: 50.0 - 9 * j + 3 * i for j, system in enumerate(systems)})
                    for i, label in enumerate(("1 to 9 words", "10 to 19 words", "20 words or more"))
                ],
            ),
            Bucketing(
                "frequency of the word",
                "words",
                "word recall",
                [
                    Bucket(label, 100 * i, {system: 80.0 - 8 * i - 5 * j for j, system in enumerate(systems)})
                    for i, label in enumerate(("never seen", "seen once", "seen often"), start=1)
                ],
            ),
        ],
        [
            NgramDifference(
                ngram,
                len(ngram.split()),
                9 - i,
                {system: max(0, 8 - i - 2 * j) for j, system in enumerate(systems)},
            )
            for i, ngram in enumerate(("the town", "library", "مكتبة المدينة", "图书馆", "<i>", "in the"))
        ],
        [
            SegmentView(
                number,
                [reference],
                {system: output if j % 2 else reference for j, system in enumerate(systems)},
                {
                    "bleu": {
                        system: float((number * 37 + 11 * j) % 101)
                        for j, system in zip(spread, systems, strict=True)
                    },
                    "ter": {
                        system: float((number * 53 + 29 * j) % 97)
                        for j, system in zip(spread, systems, strict=True)
                    },
                },
                document="news" if number % 2 else "تقرير",
            )
            for number in range(1, segments + 1)
            for reference, output in [TEXTS[number % len(TEXTS)]]
        ],
    )
