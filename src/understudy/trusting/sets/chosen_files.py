"""Selection of the files of test sets with human scores, for all sets or for one."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from understudy.corpus.files import Path
from understudy.corpus.judged_folders import SetFolder, is_mt_metrics_eval, language_pairs, set_folder
from understudy.corpus.segment_label_files import Labeling
from understudy.corpus.segment_sources import name_of
from understudy.errors import BadParameter, MissingFile, did_you_mean
from understudy.settings import check_file, checked_files, checked_names

# By the name of each set its folder; or folders, each with NAME= before it or not.
Sets = Mapping[str, Path] | Iterable[Path]
# One choice for all sets or several; `SET:CHOICE` is for one set, and counts there instead of the others.
Choices = Path | Sequence[Path] | None


@dataclass(frozen=True, kw_only=True)
class SetChoices:
    """Which files are meant in the folder of each set. None or nothing: the only ones there are."""

    human: Choices = None
    measure: Choices = None
    references: Choices = ()
    systems: Choices = ()  # files, folders, patterns, NAME=FILE
    scores: Choices = ()
    labels: Choices = None
    exclude: Choices = ()
    references_as_systems: bool = False


@dataclass(frozen=True)
class JudgedSet:
    """A test set, its files, and which systems are not to be compared."""

    folder: SetFolder
    human: str
    measure: str | None
    systems: dict[str, str]
    references: dict[str, str]  # those that metrics are given
    scores: list[str]  # files and folders, each perhaps with :NAME,NAME
    labelings: list[Labeling]
    # By name: references, unless they take part as systems, and whatever is excluded.
    left_out: frozenset[str]
    excluded: list[str] = field(default_factory=list)  # those of them that were named

    @property
    def name(self) -> str:
        return self.folder.name

    def labels(self, title: str) -> tuple[str, ...] | None:
        """Labels of each segment, by the title of their column."""
        found = (each.labels for each in self.labelings if each.title.lower() == title.lower())
        return next(found, None)


def judged_sets(sets: Sets, choices: SetChoices) -> list[JudgedSet]:
    """The sets, and what was chosen in each."""
    named = _named(sets, choices)
    names = [name for name, _ in named]
    if not names:
        raise BadParameter("no test sets, expected at least one folder.")
    for name in names:
        if not name or ":" in name:
            raise BadParameter(f"set name '{name}': expected a name without a colon.")
        if names.count(name) > 1:
            raise BadParameter(f"two sets are named '{name}'. Rename one with NAME=FOLDER.")
    _check_prefixes(choices, names)
    return [_judged_set(set_folder(name, path), names, choices) for name, path in named]


def _check_prefixes(choices: SetChoices, names: Sequence[str]) -> None:
    """What is for a set that does not exist would be ignored. Scores may be FILE:METRIC."""
    for given in (choices.human, choices.measure, choices.references, choices.systems, choices.exclude):
        for each in _listed(given):
            prefix, colon, _ = each.partition(":")
            if colon and prefix not in names and not os.path.exists(each):
                raise BadParameter(f"'{each}': unknown set '{prefix}'. {did_you_mean(prefix, names)}")


def _for_set(choices: Choices, name: str, names: Sequence[str]) -> list[str]:
    """The choices for one set: those given for it alone, otherwise those for all sets.

    >>> _for_set(["refA", "he-en:refB"], "he-en", ["he-en", "zh-en"]), _for_set("refA", "zh-en", ["he-en", "zh-en"])
    (['refB'], ['refA'])
    """
    alone, of_all = _alone_and_of_all(choices, name, names)
    return alone or of_all


def _alone_and_of_all(choices: Choices, name: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    alone, of_all = [], []
    for each in _listed(choices):
        owner = next((one for one in names if each.startswith(f"{one}:")), None)
        if owner is None:
            of_all.append(each)
        elif owner == name:
            alone.append(each.removeprefix(f"{name}:"))
    return alone, of_all


def _listed(choices: Choices) -> list[str]:
    if choices is None:
        return []
    return [os.fspath(one) for one in checked_files("files of a set", choices)]


def _named(sets: Sets, choices: SetChoices) -> list[tuple[str, str]]:
    """Names and folders. A folder of mt-metrics-eval without a name is as many sets as it has language pairs."""
    if isinstance(sets, Mapping):
        for path in sets.values():
            check_file("sets", path)
        return [
            (name, os.fspath(path))
            for name, path in zip(checked_names("sets", sets), sets.values(), strict=True)
        ]
    found = []
    for given in map(os.fspath, checked_files("sets", sets)):
        name, equals, path = given.partition("=")
        if equals and not os.path.isdir(given):
            found.append((name, path))
        elif is_mt_metrics_eval(given):
            human = _for_set(choices.human, "", ())
            pairs = language_pairs(given, human)
            if not pairs:
                wanted = " or ".join(map(repr, human)) or "of any name"
                raise MissingFile(f"'{given}' has no human segment scores {wanted}.")
            found += [(pair, given) for pair in pairs]
        else:
            found.append((os.path.basename(os.path.abspath(given)), given))
    return found


def _judged_set(folder: SetFolder, names: Sequence[str], choices: SetChoices) -> JudgedSet:
    def meant(of_all: Choices) -> list[str]:
        return _for_set(of_all, folder.name, names)

    human = _human(folder, meant(choices.human))
    references = _references(folder, meant(choices.references))
    named = _systems(folder, meant(choices.systems))
    human_translations = {**folder.references, **references}
    systems = named or folder.systems
    if choices.references_as_systems:
        systems = {**human_translations, **systems}
        kept = set(human_translations) - set(references)
    else:
        kept = set(named)
    excluded = [each for of_set in _alone_and_of_all(choices.exclude, folder.name, names) for each in of_set]
    left_out = frozenset(human_translations) - kept | frozenset(references) | frozenset(excluded)
    return JudgedSet(
        folder,
        human,
        _one(meant(choices.measure)),
        {name: file for name, file in systems.items() if name not in left_out},
        references,
        _scores(folder, meant(choices.scores)),
        folder.labelings(_one(meant(choices.labels))),
        left_out,
        excluded,
    )


def _one(given: Sequence[str]) -> str | None:
    if len(given) > 1:
        raise BadParameter(f"{' and '.join(map(repr, given))}: expected one per set.")
    return given[0] if given else None


def _human(folder: SetFolder, given: Sequence[str]) -> str:
    wanted = _one(given)
    if wanted is None:
        return folder.human[folder.only("files of human scores", folder.human, "--human")]
    file = folder.file(wanted)
    if file is not None and os.path.isfile(file):
        return file
    return folder.human[folder.chosen("file of human scores", folder.human, wanted, "--human")]


def _references(folder: SetFolder, given: Sequence[str]) -> dict[str, str]:
    """Without any choice the only one there is, or none if there is none: metrics may need none."""
    if not given and folder.references:
        name = folder.only("references", folder.references, "-r")
        return {name: folder.references[name]}
    found = {}
    for wanted in given:
        file = folder.file(wanted)
        known = {name: path for name, path in folder.references.items() if path == file}
        if file is not None and not known:
            found[name_of(file)] = file
        else:
            name = folder.chosen("reference", known or folder.references, next(iter(known), wanted), "-r")
            found[name] = folder.references[name]
    return found


def _systems(folder: SetFolder, given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for wanted in given:
        name, equals, path = wanted.partition("=")
        if equals and os.sep not in name and folder.file(wanted) is None:
            file = folder.file(path)
            if file is None:
                raise MissingFile(f"set '{folder.name}': no such file: '{os.path.join(folder.path, path)}'.")
            found[name] = file
            continue
        where = folder.file(wanted)
        pattern = (
            os.path.join(where, "*") if where and os.path.isdir(where) else os.path.join(folder.path, wanted)
        )
        files = (
            [where]
            if where and not os.path.isdir(where)
            else sorted(filter(os.path.isfile, glob.glob(pattern)))
        )
        if not files:
            raise MissingFile(f"set '{folder.name}': no system outputs '{wanted}' in '{folder.path}'.")
        found |= {name_of(file): file for file in files}
    return found


def _scores(folder: SetFolder, given: Sequence[str]) -> list[str]:
    found = []
    for wanted in given:
        file = folder.file(wanted)
        if file is None:
            raise MissingFile(
                f"set '{folder.name}': no such score file: '{os.path.join(folder.path, wanted)}'."
            )
        found.append(file)
    return found
