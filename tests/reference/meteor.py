"""METEOR 1.5, slow and obvious: its regular expressions, all matches as a list, every partial alignment a copy.

It follows the program step by step, faults included, and shares nothing with the core. Words are compared as words,
not by Java's hash of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import zip_longest

ALPHA = "A-Za-zŠŽšžŸÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
ALNUM = "0-9" + ALPHA
JAVA_SPACES = " \t\n\r\f"


# --- words ------------------------------------------------------------------------------------------------------


def normalize(line: str, prefixes: dict[str, bool], punctuation: bool = True) -> str:
    """What -norm makes of an English line. `prefixes` says of each abbreviation whether it is for numbers only."""
    text = f" {line} "
    text = re.sub(rf"([^{ALNUM} \t\n\x0b\f\r.'`,\-‘’])", r" \1 ", text)
    text = re.sub(r"\.([.]+)", r" DOTMULTI\1", text)
    while "DOTMULTI." in text:
        text = re.sub(r"DOTMULTI\.([^.])", r"DOTDOTMULTI \1", text)
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
    for before, after in (("^0-9", "^0-9"), ("0-9", "^0-9"), ("^0-9", "0-9")):
        text = re.sub(rf"([{before}]),([{after}])", r"\1 , \2", text)
    text = re.sub("[`‘’]", "'", text)
    text = re.sub("[“”]|''", ' " ', text)
    text = text.replace("–", "-").replace("--", "-")
    text = re.sub(rf"([{ALNUM}.])-([{ALNUM}])", r"\1 \2", text)
    text = re.sub(rf"([^{ALPHA}])'([^{ALPHA}])", r"\1 ' \2", text)
    text = re.sub(rf"([^{ALPHA}0-9])'([{ALPHA}])", r"\1 ' \2", text)
    text = re.sub(rf"([{ALPHA}])'([^{ALPHA}])", r"\1 ' \2", text)
    text = re.sub(rf"([{ALPHA}])'([{ALPHA}])", r"\1 '\2", text)
    text = re.sub(r"([0-9])'(s)", r"\1 '\2", text)
    text = " ".join(full_stops(split(text), prefixes))
    while "DOTDOTMULTI" in text:
        text = text.replace("DOTDOTMULTI", "DOTMULTI.")
    text = text.replace("DOTMULTI", ".")
    if not punctuation:
        text = re.sub(rf"[^{ALNUM}]", " ", text)
    text = re.sub("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+", " ", text)
    return text.strip("".join(map(chr, range(33))))


def full_stops(words: list[str], prefixes: dict[str, bool]) -> list[str]:
    found = []
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        prefix = word[:-1]
        for_numbers = prefixes.get(prefix)
        if len(word) < 2 or not word.endswith("."):
            found.append(word)
        elif "." in prefix and re.search(f"[{ALPHA}]", prefix):
            found.append(word.replace(".", ""))
        elif for_numbers is False or re.match("[a-z]" if for_numbers is None else "[a-z0-9]", following):
            found.append(word)
        else:
            found += [prefix, "."]
    return found


def split(text: str) -> list[str]:
    return [word for word in re.split(f"[{JAVA_SPACES}]+", text) if word]


# --- matches ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Match:
    start: int  # in the reference
    length: int
    other_start: int  # in the hypothesis
    other_length: int
    stage: int


@dataclass(frozen=True)
class Lexicon:
    stems: dict[str, str]
    bases: dict[str, list[str]]  # of irregular forms
    synsets: dict[str, set[int]]
    paraphrases: dict[str, list[tuple[list[str], list[str]]]]  # by the first word of the phrase
    function_words: set[str]

    def sets_of(self, word: str) -> set[int]:
        bases = self.bases.get(word) or [self.morph(word)]
        return set().union(*(self.synsets.get(form, set()) for form in (word, *bases)))

    def morph(self, word: str) -> str:
        if word.endswith("ss") or len(word.encode("utf-16-le")) <= 4:
            return word
        rules = "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y s: ies:y es:e es: ed:e ed: ing:e ing: er: est:"
        rules += " er:e est:e"
        for rule in rules.split():
            ending, _, by = rule.partition(":")
            base = word[: len(word) - len(ending)] + by
            if word.endswith(ending) and base in self.synsets:
                return base
        return ""


def all_matches(hypothesis: list[str], reference: list[str], lexicon: Lexicon) -> list[list[Match]]:
    found: list[list[Match]] = [[] for _ in reference]
    sets = {word: lexicon.sets_of(word) for word in {*hypothesis, *reference}}

    def stem(word: str) -> str:
        return lexicon.stems.get(word, word)

    same_stage = [
        lambda h, r: h == r,
        lambda h, r: h != r and stem(h) == stem(r),
        lambda h, r: h != r and bool(sets[h] & sets[r]),
    ]
    for stage, fits in enumerate(same_stage[:1] if hypothesis == reference else same_stage):
        for j, r in enumerate(reference):
            found[j] += [Match(j, 1, i, 1, stage) for i, h in enumerate(hypothesis) if fits(h, r)]
    if hypothesis == reference:
        return found
    for j in range(len(reference)):
        for source, target in of_phrases_at(reference, j, lexicon):
            found[j] += [
                Match(j, len(source), i, len(target), 3)
                for i in range(len(hypothesis))
                if hypothesis[i : i + len(target)] == target
            ]
    for i in range(len(hypothesis)):
        for source, target in of_phrases_at(hypothesis, i, lexicon):
            for j in range(len(reference)):
                if reference[j : j + len(target)] == target:
                    found[j].append(Match(j, len(target), i, len(source), 3))
    return found


def of_phrases_at(words: list[str], at: int, lexicon: Lexicon) -> list[tuple[list[str], list[str]]]:
    fitting = [
        pair for pair in lexicon.paraphrases.get(words[at], []) if words[at : at + len(pair[0])] == pair[0]
    ]
    return sorted(fitting, key=lambda pair: len(pair[0]))


# --- search -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Path:
    taken: tuple[Match, ...] = ()
    matched: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0
    last_end: int = -1
    used: frozenset[int] = frozenset()

    def take(self, match: Match) -> Path:
        weight = 1.0 if match.stage == 0 else 0.5
        return replace(
            self,
            taken=(*self.taken, match),
            matched=self.matched + int(match.length * weight) + int(match.other_length * weight),
            chunks=self.chunks + (self.last_end not in (-1, match.other_start)),
            next=match.start + match.length,
            last_end=match.other_start + match.other_length,
            used=self.used | set(covered(match)),
        )

    def close(self) -> Path:
        return replace(self, chunks=self.chunks + (self.last_end != -1), last_end=-1)


def covered(match: Match) -> range:
    return range(match.other_start, match.other_start + match.other_length)


def align(hypothesis: list[str], reference: list[str], lexicon: Lexicon, beam: int = 40) -> Path:
    """The best path of the search."""
    found = all_matches(hypothesis, reference, lexicon)
    everything = [match for matches in found for match in matches]
    cover = [sum(i in covered(match) for match in everything) for i in range(len(hypothesis))]
    reference_cover = [
        sum(match.start <= j < match.start + match.length for match in everything)
        for j in range(len(reference))
    ]
    fixed = {
        matches[0].start: matches[0]
        for matches in found
        if len(matches) == 1
        and all(cover[i] == 1 for i in covered(matches[0]))
        and all(reference_cover[matches[0].start + k] == 1 for k in range(matches[0].length))
    }
    paths = [Path(used=frozenset(i for match in fixed.values() for i in covered(match)))]
    for j in range(len(reference)):
        following = []
        for path in sorted(paths, key=rank)[:beam]:
            if path.next > j:
                following.append(path)
            elif j in fixed:
                away = abs(fixed[j].start - fixed[j].other_start)
                following.append(replace(path.take(fixed[j]), distance=path.distance + away))
            else:
                distance = path.distance
                for match in found[j]:
                    if path.used.isdisjoint(covered(match)):
                        following.append(replace(path.take(match), distance=distance))
                        distance += abs(match.start - match.other_start)
                following.append(replace(path.close(), distance=distance, next=j + 1))
        paths = following
    return min((path.close() for path in sorted(paths, key=rank)[:beam]), key=rank)


def rank(path: Path) -> tuple[int, int, int]:
    return -path.matched, path.chunks, path.distance


def statistics(hypothesis: list[str], reference: list[str], lexicon: Lexicon) -> list[int]:
    """The 23 numbers of a segment, with no chunk for one that matches whole in one chunk."""
    path = align(hypothesis, reference, lexicon)
    function = [
        [word.lower() in lexicon.function_words for word in words] for words in (hypothesis, reference)
    ]
    row = [len(hypothesis), len(reference), sum(function[0]), sum(function[1])]
    for stage in range(4):
        mine = [match for match in path.taken if match.stage == stage]
        places = [
            [i for match in mine for i in covered(match)],
            [j for match in mine for j in range(match.start, match.start + match.length)],
        ]
        for kind in (False, True):
            row += [sum(function[side][place] == kind for place in places[side]) for side in (0, 1)]
    matched = [sum(match.other_length for match in path.taken), sum(match.length for match in path.taken)]
    whole = matched == [len(hypothesis), len(reference)] and path.chunks == 1
    return [*row, 0 if whole else path.chunks, *matched]
