"""Arguments of the commands, and their shell completion."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from understudy.corpus.files import STDIN
from understudy.errors import BadParameter

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from understudy.metrics.base.metric import Metric
    from understudy.text.languages import Language

_Choices = list[tuple[str, str]]  # a value and its description


def named_system(text: str) -> str | tuple[str, str]:
    """NAME=FILE as its two parts. An existing file of the full name takes precedence, and a directory is not part of
    a name.

    >>> named_system("nmt=out/system.txt"), named_system("out/lr=0.1/system.txt")
    (('nmt', 'out/system.txt'), 'out/lr=0.1/system.txt')
    """
    name, equals, path = text.partition("=")
    literal = os.path.exists(text) or os.path.exists(text.rpartition(":")[0])
    if literal or not (name and equals and path) or os.sep in name:
        if not literal and os.sep not in text and text != STDIN:
            _refuse_metric(text)
        return text
    return name, path


class FileArgument(os.PathLike[str]):
    """A file as the user wrote it. The library might take a string for a text, and a `Path` would be written anew."""

    def __init__(self, written: str) -> None:
        self.written = written

    def __fspath__(self) -> str:
        return self.written


def as_files(entries: Sequence[str | tuple[str, str]]) -> list[Any]:
    """Systems and references for the library: FILE, or NAME and FILE."""
    return [
        FileArgument(entry) if isinstance(entry, str) else (entry[0], FileArgument(entry[1]))
        for entry in entries
    ]


# Systems, with the files of their runs. Without a name given, a file names its system, or has several systems.
Named = list[tuple[str | None, Sequence[str]]]


def systems_with_runs(arguments: Sequence[str]) -> Named:
    """NAME=PATTERN, NAME=FILE and FILE. A pattern that is a file's name means that file."""
    found: Named = []
    for argument in arguments:
        entry = named_system(argument)
        if isinstance(entry, str):
            found.append((None, [entry]))
            continue
        name, pattern = entry
        runs = (
            sorted(glob.glob(pattern))
            if glob.has_magic(pattern) and not os.path.exists(pattern)
            else [pattern]
        )
        if not runs:
            raise BadParameter(f"system '{name}': no file matches '{pattern}'.")
        found.append((name, runs))
    return found


def as_systems(named: Named) -> list[Any]:
    """Systems and their runs for the library: FILE, or NAME and its files."""
    return [
        FileArgument(paths[0]) if name is None else (name, list(map(FileArgument, paths)))
        for name, paths in named
    ]


def systems_by_folder(arguments: Sequence[str]) -> Named:
    """Systems named after the folders that their runs are in."""
    from understudy.corpus.naming import NameCandidate, names_apart

    found: dict[str, list[str]] = {}
    for argument in arguments:
        found.setdefault(os.path.dirname(os.path.abspath(argument)), []).append(argument)
    wanted = [
        NameCandidate(None, os.path.basename(folder), os.path.dirname(runs[0]) or os.curdir)
        for folder, runs in found.items()
    ]
    return list(zip(names_apart(wanted), found.values(), strict=True))


def systems_in_folders(arguments: Sequence[str]) -> list[Any]:
    """NAME=FILE, FILE, and every file of a folder."""
    from understudy.corpus.files import files_of

    found: list[Any] = []
    for argument in arguments:
        entry = named_system(argument)
        found += [entry] if isinstance(entry, tuple) else files_of(entry)
    for entry in found:
        if found.count(entry) > 1:
            name = entry if isinstance(entry, str) else "=".join(entry)
            raise BadParameter(f"the system '{name}' is given twice. Give it once.")
    return found


def _refuse_metric(system: str) -> None:
    """Other programs accept several metrics after one -m; here, all but the first would be systems."""
    from understudy.metrics.base.registry import names

    if system.partition(":")[0].lower() in names():
        raise BadParameter(f"no such file: '{system}'. For a metric, repeat -m: -m {system}.")


def chosen_metrics(
    specs: Sequence[str],
    *,
    tokenize: str | None = None,
    lowercase: bool = False,
    parsers: Sequence[str] = (),
    model_settings: Mapping[str, Any] = MappingProxyType({}),
    language: str | None = None,
    distinct: bool = True,
    used_elsewhere: Collection[str] = (),
) -> list[Metric]:
    """The metrics, with --tokenize, --lowercase, --parser and the settings of learned models where they apply; with
    each parser, if there are several. The target language sets the rest. `distinct`: duplicates are an error.
    `used_elsewhere`: options that have an effect even if no metric uses them.
    """
    from understudy.metrics.base.registry import metric, settings_of, with_panel

    if language is not None:
        given_language(language)
    shorthands: dict[str, Sequence[Any]] = {
        "tokenize": [] if tokenize is None else [tokenize],
        "lowercase": [True] if lowercase else [],
        "parser": parsers,
        **{name: [] if value is None else [value] for name, value in model_settings.items()},
    }
    unused = {name for name, values in shorthands.items() if values}
    chosen: list[Metric] = []
    for spec in with_panel(specs):
        _refuse_several(spec)
        made = [metric(spec)]
        _, said = settings_of(spec)
        for name, values in shorthands.items():
            if values and name in made[0].parameters() and name not in said:
                alone = len(specs) == 1
                made = [_with_shorthand(each, name, value, alone=alone) for each in made for value in values]
                unused.discard(name)
        for each in made if language is None else [_for_language(each, language) for each in made]:
            if distinct and each in chosen:
                raise BadParameter(f"metric '{each.spec}' is given twice. Omit one of them.")
            chosen.append(each)
    for name in sorted(unused.difference(used_elsewhere)):
        raise BadParameter(
            f"{_flag(name)} has no effect: the metrics do not have this parameter, or set it themselves. Omit it."
        )
    return chosen


def two_specs(spec: str, against: str) -> list[str]:
    """A spec, and the other one of the same metric, which may be only a preset or settings of it."""
    from understudy.metrics.base.registry import metric, other_spec, spec_beside

    first = metric(spec)
    other_spec(first, against)  # refuses another metric
    return [spec, spec_beside(first, against)]


def _refuse_several(spec: str) -> None:
    """A comma separates parameters, not metrics."""
    from understudy.metrics.base.registry import PANEL, names

    parts = [part.strip() for part in spec.split(",")]
    if ":" not in spec and len(parts) > 1 and all(part.lower() in {PANEL, *names()} for part in parts):
        raise BadParameter(
            f"'{spec}' contains several metrics. Repeat -m for each: {' '.join(f'-m {part}' for part in parts)}."
        )


def given_language(code: str) -> Language:
    """The language of --lang."""
    from understudy.text.languages import language_of

    try:
        return language_of(code)
    except BadParameter as error:
        raise BadParameter(f"--lang: {error}") from None


def _for_language(metric: Metric, language: str) -> Metric:
    try:
        return metric.for_language(language)
    except BadParameter as error:
        raise BadParameter(f"--lang {language}: {error}") from None


def _with_shorthand(metric: Metric, name: str, value: Any, *, alone: bool) -> Metric:
    from understudy.metrics.base.parameters import Parameter

    try:
        return replace(metric, **{name: value})
    except BadParameter as error:
        if alone:
            raise BadParameter(f"{metric.spec}: {error}") from None
        raise BadParameter(
            f"{_flag(name)} applies to all metrics, but is invalid for {metric.spec}: {error} Set it for single "
            f"metrics, e.g. -m NAME:{name}={Parameter.format(value)}."
        ) from None


def _flag(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def complete_file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file, completed by the shell."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_tokenizer(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A tokenizer, such as 13a."""
    return _beginning_with(incomplete, _tokenizers())


def complete_metric(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The next part of a metric spec, such as bleu:tokenize=intl."""
    from understudy.metrics.base.registry import names

    name, colon, settings = incomplete.partition(":")
    if colon:
        return _beginning_with(incomplete, _settings(name, settings))
    known = [(name, metric.summary) for name, metric in names().items()]
    return _beginning_with(incomplete, known + [(f"{name}:", "with parameters") for name, _ in known])


def complete_metrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A metric spec, or the default panel."""
    from understudy.metrics.base.registry import PANEL, panel

    usual = [(PANEL, f"default panel: {', '.join(panel())}")]
    return _beginning_with(incomplete, usual) + complete_metric(ctx, param, incomplete)


def _settings(name: str, settings: str) -> _Choices:
    """All completions of the last parameter."""
    from understudy.metrics.base.registry import names

    if name not in names():
        return []
    metric = names()[name]
    parameters = metric.parameters()
    written, comma, last = settings.rpartition(",")
    before = f"{name}:{written}{comma}"
    key, equals, _ = last.partition("=")
    if equals:
        return [(f"{before}{key}={value}", help) for value, help in _values(metric, key)]
    chosen = comma or name in metric.aliases  # a preset, or something else to begin with
    presets = [] if chosen else [(f"{before}{preset}", "preset") for preset in metric.presets]
    used = {piece.partition("=")[0] for piece in written.split(",")}
    return presets + [(f"{before}{p.name}=", p.help) for p in parameters.values() if p.name not in used]


def _values(metric: type[Metric], key: str) -> _Choices:
    parameter = metric.parameters().get(key)
    if parameter is None:
        return []
    if key == "tokenize":
        return _tokenizers()
    known = parameter.choices or ((True, False) if bool in parameter.types else ())
    return [(parameter.format(value), "") for value in known]


def _tokenizers() -> _Choices:
    from understudy.text.tokenizers import KINDS

    return [(kind.written.removesuffix("FILE"), kind.summary) for kind in KINDS.values()]


def _beginning_with(incomplete: str, choices: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(value, help=help or None) for value, help in choices if value.startswith(incomplete)
    ]
