"""Hints for users of sacreBLEU's options: the equivalents in understudy."""

from __future__ import annotations

import click

from understudy.cli.option_groups import GroupedCommand

_SYSTEMS = "Systems are arguments, references follow -r: understudy score SYSTEM -r REFERENCE."
_BOOTSTRAP = "Use understudy compare BASELINE SYSTEM -r REFERENCE --test bootstrap"
_RANDOMIZATION = "Use understudy compare BASELINE SYSTEM -r REFERENCE --test randomization"

# By all names of an option of sacreBLEU 2.6.0. Options with the same meaning in understudy have no entry.
_HINTS = {
    ("--input", "-i"): _SYSTEMS,
    ("-ol",): "Use --origlang CODE.",
    ("--echo",): "Use understudy data echo NAME PAIR FIELD.",
    ("--list",): "Use understudy data list for test sets, understudy metrics for metrics.",
    (
        "--num-refs",
        "-nr",
    ): "Repeat -r for each reference, or name the columns of a table with a header: -r FILE.tsv:COLUMN,COLUMN.",
    ("--encoding", "-e"): "Files must be UTF-8. Convert others with iconv.",
    ("--metrics",): "Repeat -m for each metric: -m bleu -m chrf -m ter:sacrebleu.",
    ("--sentence-level", "-sl"): "Use understudy score --level segment.",
    ("--smooth-method", "-s"): "Use -m bleu:smooth=METHOD, such as -m bleu:smooth=floor.",
    (
        "--smooth-value",
        "-sv",
    ): "Use -m bleu:smooth=METHOD,smooth_value=NUMBER, such as -m bleu:smooth=add-k,smooth_value=1.",
    ("-tok",): "Use --tokenize NAME for all metrics, or -m bleu:tokenize=NAME for one.",
    ("-lc",): "Use --lowercase for all metrics, or -m bleu:lowercase=true for one.",
    ("--force",): "Omit it: tokenized text is scored without it.",
    ("--chrf-char-order", "-cc"): "Use -m chrf:char_order=N, such as -m chrf:char_order=6.",
    (
        "--chrf-word-order",
        "-cw",
    ): "Use -m chrf:word_order=N, such as -m chrf:word_order=2, or -m chrf++ for short.",
    ("--chrf-beta",): "Use -m chrf:beta=NUMBER, such as -m chrf:beta=3.",
    ("--chrf-whitespace",): "Use -m chrf:whitespace=true.",
    ("--chrf-lowercase",): "Use -m chrf:lowercase=true.",
    ("--chrf-eps-smoothing",): "Use -m chrf:average=eps.",
    ("--ter-case-sensitive",): "Use -m ter:sacrebleu,lowercase=false.",
    ("--ter-asian-support",): "Use -m ter:sacrebleu,asian_support=true.",
    ("--ter-no-punct",): "Use -m ter:sacrebleu,no_punct=true.",
    ("--ter-normalized",): "Use -m ter:sacrebleu,normalized=true.",
    ("--confidence", "-ci"): "Use understudy score --ci.",
    ("--confidence-n", "-cin"): "Use understudy score --ci --samples N.",
    ("--paired-bs", "-pbs"): f"{_BOOTSTRAP}.",
    ("--paired-bs-n", "-pbsn"): f"{_BOOTSTRAP} --samples N.",
    ("--paired-ar", "-par"): f"{_RANDOMIZATION}.",
    ("--paired-ar-n", "-parn"): f"{_RANDOMIZATION} --samples N.",
    ("--paired-jobs", "-j"): "Use --threads N.",
    ("--score-only", "-b"): "Use understudy score --quiet.",
    ("--short", "-sh"): "Signatures are always written in full; understudy score --quiet omits them.",
    ("--detail", "-d"): "Use understudy compare --breakdown --labels FILE for scores by document or domain.",
    ("--no-color", "-nc"): "Set the environment variable NO_COLOR=1.",
    (
        "--citation",
        "--cite",
    ): "Use understudy data show NAME for a test set, understudy metrics NAME for the source of a metric.",
}
HINTS = {flag: hint for flags, hint in _HINTS.items() for flag in flags}

# click reads -tok as -t -o -k, and -ol as -o with the value l.
_SEVERAL_LETTERS = {flag for flag in HINTS if len(flag) > 2 and not flag.startswith("--")}


class Command(GroupedCommand):
    """A command that answers sacreBLEU's options with a hint."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        for argument in options:
            if argument in _SEVERAL_LETTERS and not ctx.resilient_parsing:
                raise _hinted(argument, ctx)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name in HINTS:
                raise _hinted(error.option_name, ctx) from None
            raise


def _hinted(flag: str, ctx: click.Context) -> click.UsageError:
    return click.UsageError(f"{flag} is a sacreBLEU option. {HINTS[flag]}", ctx)
