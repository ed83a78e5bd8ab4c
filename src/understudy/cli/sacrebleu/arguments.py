"""The options of sacreBLEU 2.6.0, and --strict."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import NoReturn

from understudy.compat.sacrebleu.metrics import METRICS
from understudy.compat.sacrebleu.metrics.bleu import BLEU
from understudy.compat.sacrebleu.metrics.chrf import CHRF
from understudy.compat.sacrebleu.version import __version__
from understudy.errors import BadParameter

_FORMATS = ("json", "text", "latex")
_FORMAT_VARIABLE = "SACREBLEU_FORMAT"

_DESCRIPTION = """\
The command line of sacreBLEU 2.6.0, with the same output and exit codes.

  understudy sacrebleu reference.txt -i system.txt -m bleu chrf ter
  cat system.txt | understudy sacrebleu -t wmt23 -l en-de
  understudy sacrebleu reference.txt -i baseline.txt system.txt --paired-bs -f text
"""


class _Parser(ArgumentParser):
    """A parser with errors of one line."""

    def error(self, message: str) -> NoReturn:
        raise BadParameter(f"{message}. Try '{self.prog} --help'.")


def parsed(arguments: Sequence[str]) -> Namespace:
    """The options, with the format of the environment variable SACREBLEU_FORMAT."""
    options = parser().parse_args(arguments)
    named = os.environ.get(_FORMAT_VARIABLE, "").lower()
    if named in _FORMATS:
        options.format = named
    return options


def parser() -> ArgumentParser:
    """The parser. Names in the result that begin with bleu_, chrf_ and ter_ are parameters of these metrics."""
    made = _Parser(
        "understudy sacrebleu", description=_DESCRIPTION, formatter_class=RawDescriptionHelpFormatter
    )
    _add_test_sets(made)
    _add_input(made)
    _add_bleu(made)
    _add_chrf(made)
    _add_ter(made)
    _add_confidence(made)
    _add_paired_tests(made)
    _add_report(made)
    made.add_argument("--version", "-V", action="version", version=f"sacrebleu {__version__}")
    made.add_argument(
        "--strict",
        action="store_true",
        help="Refuse input for which sacreBLEU's score would be wrong, instead of a warning.",
    )
    return made


def _add_test_sets(made: ArgumentParser) -> None:
    made.add_argument(
        "--citation", "--cite", action="store_true", help="Print the citation of the test set in BibTeX."
    )
    made.add_argument(
        "--list",
        action="store_true",
        help="List the test sets; with -l, those of a language pair; with -t, the fields of a test set.",
    )
    made.add_argument(
        "--test-set",
        "-t",
        help="Test set, or several that are separated by commas. Downloaded if it is missing.",
    )
    made.add_argument("--language-pair", "-l", dest="langpair", help="Language pair, such as en-de.")
    made.add_argument(
        "--origlang", "-ol", help="Only segments with this original language; non-en: with any other."
    )
    made.add_argument("--subset", help="Only segments whose domain, or tag of the document, matches a regex.")
    made.add_argument("--download", help="Download a test set.")
    made.add_argument(
        "--echo",
        nargs="+",
        help="Print fields of the test set, separated by tabs: src, ref, docid, ..., or all.",
    )


def _add_input(made: ArgumentParser) -> None:
    made.add_argument("--input", "-i", nargs="*", help="Systems, one file each. Default: standard input.")
    made.add_argument(
        "refs", nargs="*", default=[], help="References, one file each. They must precede --input."
    )
    made.add_argument(
        "--num-refs",
        "-nr",
        type=int,
        default=1,
        help="Number of references per line of the file, separated by tabs. Default: %(default)s.",
    )
    made.add_argument("--encoding", "-e", default="utf-8", help="Encoding of files. Default: %(default)s.")
    made.add_argument(
        "--metrics",
        "-m",
        choices=[name.lower() for name in METRICS],
        nargs="+",
        default=["bleu"],
        help="Metrics. Default: bleu.",
    )
    made.add_argument("--sentence-level", "-sl", action="store_true", help="Segment scores.")


def _add_bleu(made: ArgumentParser) -> None:
    group = made.add_argument_group("BLEU")
    group.add_argument(
        "--smooth-method",
        "-s",
        choices=BLEU.SMOOTH_DEFAULTS.keys(),
        default="exp",
        dest="bleu_smooth_method",
        help="Smoothing. Default: %(default)s.",
    )
    group.add_argument(
        "--smooth-value",
        "-sv",
        type=float,
        dest="bleu_smooth_value",
        help=f"Value of floor (default: {BLEU.SMOOTH_DEFAULTS['floor']}) or add-k (default: "
        f"{BLEU.SMOOTH_DEFAULTS['add-k']}).",
    )
    group.add_argument(
        "--tokenize",
        "-tok",
        choices=BLEU.TOKENIZERS,
        dest="bleu_tokenize",
        help="Tokenizer. Default: zh, ja-mecab or ko-mecab if -l has that target language; otherwise 13a.",
    )
    group.add_argument(
        "--lowercase", "-lc", action="store_true", dest="bleu_lowercase", help="Ignore letter case."
    )
    group.add_argument(
        "--force", action="store_true", dest="bleu_force", help="No warning for text that looks tokenized."
    )


def _add_chrf(made: ArgumentParser) -> None:
    group = made.add_argument_group("chrF")
    group.add_argument(
        "--chrf-char-order",
        "-cc",
        type=int,
        default=CHRF.CHAR_ORDER,
        help="Maximum order of character n-grams. Default: %(default)s.",
    )
    group.add_argument(
        "--chrf-word-order",
        "-cw",
        type=int,
        default=CHRF.WORD_ORDER,
        help="Maximum order of word n-grams; 2 for chrF++. Default: %(default)s.",
    )
    group.add_argument(
        "--chrf-beta", type=int, default=CHRF.BETA, help="Weight of recall. Default: %(default)s."
    )
    group.add_argument(
        "--chrf-whitespace", action="store_true", help="Count whitespace in character n-grams."
    )
    group.add_argument("--chrf-lowercase", action="store_true", help="Ignore letter case.")
    group.add_argument(
        "--chrf-eps-smoothing",
        action="store_true",
        help="Smoothing by a small constant, as in chrF++.py, instead of the effective order.",
    )


def _add_ter(made: ArgumentParser) -> None:
    group = made.add_argument_group("TER")
    group.add_argument("--ter-case-sensitive", action="store_true", help="Respect letter case.")
    group.add_argument("--ter-asian-support", action="store_true", help="Separate Asian characters.")
    group.add_argument("--ter-no-punct", action="store_true", help="Remove punctuation.")
    group.add_argument("--ter-normalized", action="store_true", help="Tercom's normalization.")


def _add_confidence(made: ArgumentParser) -> None:
    group = made.add_argument_group("Confidence intervals for one system")
    group.add_argument(
        "--confidence", "-ci", action="store_true", help="95%% confidence interval by bootstrap resampling."
    )
    group.add_argument(
        "--confidence-n",
        "-cin",
        type=int,
        default=1000,
        help="Number of bootstrap samples. Default: %(default)s.",
    )


def _add_paired_tests(made: ArgumentParser) -> None:
    group = made.add_argument_group("Paired significance tests against the first of several systems")
    either = group.add_mutually_exclusive_group()
    either.add_argument("--paired-ar", "-par", action="store_true", help="Approximate randomization.")
    either.add_argument("--paired-bs", "-pbs", action="store_true", help="Paired bootstrap resampling.")
    group.add_argument(
        "--paired-ar-n",
        "-parn",
        type=int,
        default=10000,
        help="Number of trials of approximate randomization. Default: %(default)s.",
    )
    group.add_argument(
        "--paired-bs-n",
        "-pbsn",
        type=int,
        default=1000,
        help="Number of bootstrap samples. Default: %(default)s.",
    )
    group.add_argument(
        "--paired-jobs", "-j", type=int, default=1, help="No effect: all cores are used in any case."
    )


def _add_report(made: ArgumentParser) -> None:
    group = made.add_argument_group("Output")
    group.add_argument("--quiet", "-q", action="store_true", help="Only warnings and errors on stderr.")
    group.add_argument("--short", "-sh", action="store_true", help="Short signatures.")
    group.add_argument("--score-only", "-b", action="store_true", help="Scores only.")
    group.add_argument("--width", "-w", type=int, default=1, help="Decimal places. Default: %(default)s.")
    group.add_argument(
        "--detail", "-d", action="store_true", help="Also scores by original language and domain."
    )
    group.add_argument("--no-color", "-nc", action="store_true", help="No colors in terminals.")
    group.add_argument(
        "--format",
        "-f",
        default="json",
        choices=_FORMATS,
        help="Output format; latex is for several systems. The environment variable SACREBLEU_FORMAT takes "
        "precedence. Default: %(default)s.",
    )
