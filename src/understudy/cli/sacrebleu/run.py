"""The course of the command, with its checks in sacreBLEU's order."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

from understudy.cli import say
from understudy.cli.sacrebleu.arguments import parsed
from understudy.cli.sacrebleu.colors import Colors, chosen_colors
from understudy.cli.sacrebleu.doubts import check_texts, check_words
from understudy.cli.sacrebleu.log import Ended, doubt, log_lines, refuse
from understudy.cli.sacrebleu.named_sets import (
    check_choice,
    check_pair,
    citations,
    download,
    echoed,
    listed,
    reference_files,
)
from understudy.cli.sacrebleu.printing import print_lines
from understudy.cli.sacrebleu.scores import (
    Metrics,
    corpus_lines,
    detail_lines,
    metrics_of,
    segment_lines,
)
from understudy.cli.sacrebleu.tables import table_lines
from understudy.cli.sacrebleu.texts import Systems, read_references, read_systems
from understudy.compat.sacrebleu.places import SACREBLEU_DIR
from understudy.compat.sacrebleu.samples import SEED_VARIABLE
from understudy.compat.sacrebleu.utils import filter_subset, sacrelogger
from understudy.errors import BadParameter, MissingFile
from understudy.wording import number_of


def run(arguments: Sequence[str]) -> int:
    """Run sacreBLEU's command line. The result is the exit code."""
    options = parsed(arguments)
    _encode_output()
    colors = chosen_colors(unwanted=options.no_color)
    with log_lines(quiet=options.quiet):
        try:
            _check_numbers(options)
            if not _told(options):
                _score(options, colors)
        except Ended as end:
            return end.code
    return 0


def _encode_output() -> None:
    """sacreBLEU prints UTF-8 in every locale. Names of files need not be UTF-8."""
    if sys.stdout is None:
        raise MissingFile("standard output is closed: there is nowhere to write to.")
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(encoding="utf-8", errors="surrogateescape")


def _check_numbers(options: Namespace) -> None:
    """What sacreBLEU fails at later, with a traceback."""
    if options.width < 0:
        raise BadParameter(f"--width: got {options.width}, expected at least 0.")
    if options.subset is not None:
        try:
            re.compile(options.subset)
        except re.error as error:
            raise BadParameter(
                f"--subset: '{options.subset}' is not a regular expression: {error}."
            ) from None


# --- what needs no system --------------------------------------------------------------------------------


def _told(options: Namespace) -> bool:
    """Does what needs no system, if it is asked for, and says whether it was. Checks what is asked for otherwise."""
    if options.download:
        download(options.download, options.langpair)
        return True
    if options.list:
        print_lines(listed(options))
        return True
    if options.sentence_level and len(options.metrics) > 1:
        refuse("Only one metric can be used in sentence-level mode.")
    if options.citation:
        if not options.test_set:
            refuse("I need a test set (-t).")
        print_lines(citations(options.test_set))
        return True
    if options.num_refs != 1 and (options.test_set is not None or len(options.refs) > 1):
        refuse(
            "The --num-refs argument allows you to provide any number of tab-delimited references in a single file.",
            "You can only use it with externally provided references, however (i.e., not with `-t`),",
            "and you cannot then provide multiple reference files.",
        )
    check_choice(options)
    if options.echo:
        if options.langpair is None or options.test_set is None:
            sacrelogger.warning("--echo requires a test set (--t) and a language pair (-l)")
            raise Ended(1)
        print_lines(echoed(options))
        return True
    return False


# --- scores ----------------------------------------------------------------------------------------------


def _score(options: Namespace, colors: Colors) -> None:
    if options.langpair:
        check_pair(options.langpair)
        options.bleu_trg_lang = options.langpair.split("-")[1]
    if options.test_set is not None and options.bleu_tokenize == "none":
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer presumably to supply your own tokenized files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")
    whole_references = read_references(reference_files(options), options)
    whole_systems = read_systems(options, len(whole_references[0]))
    _check_modes(options, len(whole_systems.names))
    systems, references = _selected(whole_systems, whole_references, options)
    check_texts(systems, references, options)
    if options.sentence_level:
        options.bleu_effective_order = True
    metrics = metrics_of(options, references)
    check_words(metrics, references[0], options)
    if options.sentence_level:
        print_lines(segment_lines(metrics, systems.lines[0], options))
        return
    if options.detail and options.format == "json":
        options.format = "text"
    if len(systems.names) == 1:
        print_lines(corpus_lines(metrics, systems.lines[0], options, colors))
        if options.detail:
            print_lines(detail_lines(metrics, whole_systems.lines[0], whole_references, options, colors))
        return
    sacrelogger.info("Found %d systems.", len(systems.names))
    print_lines(_table(systems, metrics, options, colors))


def _check_modes(options: Namespace, systems: int) -> None:
    paired = options.paired_bs or options.paired_ar
    if options.sentence_level:
        if systems > 1:
            refuse("Only one system can be evaluated in sentence-level mode.")
        if options.confidence or paired:
            refuse("Statistical tests are unavailable in sentence-level mode.")
    if paired and systems == 1:
        refuse("Paired tests require multiple input systems given to --input (-i).")
    if systems > 1 and options.confidence:
        refuse("Use paired tests (--paired) for multiple systems.")
    if paired and os.environ.get(SEED_VARIABLE, "").isdecimal() and not int(os.environ[SEED_VARIABLE]):
        doubt(
            f"{SEED_VARIABLE}=0: paired tests take 0 for no seed, so that p-values differ from run to run. Use another "
            "number.",
            strict=options.strict,
        )


def _selected(
    systems: Systems, references: list[list[str]], options: Namespace
) -> tuple[Systems, list[list[str]]]:
    """The segments of --origlang and --subset, checked for equal lengths."""
    segments = len(references[0])
    if options.origlang is not None or options.subset is not None:
        for name, lines in zip(systems.names, systems.lines, strict=True):
            if len(lines) != segments:
                doubt(
                    f"system '{name}' has {number_of(len(lines), 'segment')}, the test set has {segments:,}: which of "
                    "them --origlang and --subset select is wrong.",
                    strict=options.strict,
                )
    outputs = list(
        filter_subset(
            [*systems.lines, *references],
            options.test_set,
            options.langpair,
            options.origlang,
            options.subset,
        )
    )
    kept = Systems(systems.names, outputs[: len(systems.names)])
    chosen = outputs[len(systems.names) :]
    for name, lines in zip(kept.names, kept.lines, strict=True):
        if not lines:
            refuse(_nothing_selected(options))
        _check_lengths(name, lines, chosen, options)
    return kept, chosen


def _nothing_selected(options: Namespace) -> str:
    given = {"origlang": options.origlang, "subset": options.subset}
    criteria = "".join(f" {name}={value}" for name, value in given.items() if value)
    asked = " with" if any(value is not None for value in given.values()) else ""
    return f"Test set {options.test_set!r} contains no sentence{asked}{criteria}"


def _check_lengths(
    name: str, lines: Sequence[str], references: Sequence[Sequence[str]], options: Namespace
) -> None:
    number = next((place for place, each in enumerate(references) if len(each) != len(lines)), None)
    if number is None:
        return
    say(
        f"system '{name}' has {number_of(len(lines), 'segment')}, reference {number + 1} has "
        f"{len(references[number]):,}. Was a line lost?"
    )
    about_set = (
        "This could be an issue with your system output or with sacreBLEU's reference database if -t is given.",
        "For the latter, try cleaning out the cache by typing:\n",
        f"  rm -r {SACREBLEU_DIR}/{options.test_set}\n",
        "The test sets will be re-downloaded the next time you run sacreBLEU.",
    )
    refuse("System and reference streams have different lengths.", *(about_set if options.test_set else ()))


def _table(systems: Systems, metrics: Metrics, options: Namespace, colors: Colors) -> Iterable[str]:
    if options.paired_bs or options.paired_ar:
        from understudy.compat.sacrebleu.significance import PairedTest

        signatures, results = PairedTest(
            list(zip(systems.names, systems.lines, strict=True)),
            metrics,
            None,
            "bs" if options.paired_bs else "ar",
            options.paired_bs_n if options.paired_bs else options.paired_ar_n,
        )()
        signed = {name: signature.format(options.short) for name, signature in signatures.items()}
        return table_lines(results, signed, options, colors)
    columns: dict[str, list[Any]] = {"System": systems.names}
    signed = {}
    for lines in systems.lines:
        for _, metric in sorted(metrics.items()):
            score = metric.corpus_score(lines, None)
            signed[score.name] = metric.get_signature().format(options.short)
            columns.setdefault(score.name, []).append(score.format(options.width, True))
    return table_lines(columns, signed, options, colors)
