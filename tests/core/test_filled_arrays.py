"""Arrays that the core fills are the caller's own: one that would have to be converted first is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from material.meteor_matcher import plain_matcher
from understudy import BLEU, CHRF, _core

TEXT = _core.Column.from_strings(["a"])
NUMBERS = np.zeros((1, 1))
OF_CLASS = {
    _core.MeteorMatcher: plain_matcher(),
    _core.TiePairs: _core.TiePairs(NUMBERS, NUMBERS, threads=1),
}
# By the type that nanobind writes into the signature. No name is called "": the core refuses that after it has taken
# the arguments.
OF_TYPE: dict[str, Any] = {
    "understudy._core.Column": TEXT,
    "collections.abc.Sequence[understudy._core.Column]": [TEXT],
    "understudy._core.ReferenceNgrams": _core.ReferenceNgrams(
        tokenizer="none", letter_case="keep", max_order=1
    ),
    "understudy._core.DocumentWords": _core.DocumentWords(tokenizer="none", letter_case="keep", named=False),
    "understudy._core.TreeReading": _core.TreeReading.brackets(),
    "read": NUMBERS,
    **{f"row_of_{kind}": np.zeros(1, kind) for kind in ("int64", "uint64", "float64")},
    "understudy._core.BleuFormula": BLEU()._formula,
    "understudy._core.ChrfFormula": CHRF()._formula,
    "str": "",
    "bool": False,
    "int": 1,
    "float": 1.0,
}


def functions() -> Iterator[tuple[str, Any]]:
    for name, value in vars(_core).items():
        if isinstance(value, type):
            of_class = OF_CLASS.get(value, value)
            yield from ((f"{name}.{method}", getattr(of_class, method)) for method in vars(value))
        else:
            yield name, value


def filling() -> Iterator[Any]:
    """Every function of the core that fills an array: what else it is called with, the array's name and its kind."""
    for name, function in functions():
        signature = str(function.__doc__).split("\n")[0]
        arrays = {
            array: (dtype, shape.count("*"))
            for array, dtype, shape in re.findall(
                r"(\w+): ndarray\[dtype=(\w+), shape=\(([*, ]+)\), order='C', device='cpu'\]", signature
            )
        }
        if not arrays:
            continue
        readable = re.sub(r"ndarray\[dtype=(\w+),[^]]*shape=\(\*\)[^]]*\]", r"row_of_\1", signature)
        readable = re.sub(r"ndarray\[[^]]*\]", "read", readable)
        arguments = ast.parse(f"def {readable}: ...").body[0].args  # type: ignore[attr-defined]
        given = {
            argument.arg: None
            if (kind := ast.unparse(argument.annotation)).endswith("| None")
            else OF_TYPE[kind]
            for argument in [*arguments.args, *arguments.kwonlyargs]
            if argument.arg not in ("self", *arrays)
        }
        for array, (dtype, dimensions) in arrays.items():
            others = {
                other: np.zeros((6,) * count, kind)
                for other, (kind, count) in arrays.items()
                if other != array
            }
            place = f"{name}-{array}" if others else name
            yield pytest.param(function, {**given, **others}, array, dtype, dimensions, id=place)


FILLING = list(filling())


def test_all_are_found() -> None:
    found = {str(case.id).partition("-")[0] for case in FILLING}
    assert {name for name in vars(_core) if name.startswith("count_")} < found
    assert {"bleu_pairs", "bleu_groups", "chrf_pairs", "chrf_groups", "mean_utilities"} < found
    assert {"multiply_ranks", "row_products", "MeteorMatcher.count", "TiePairs.calibrate"} < found


@pytest.mark.parametrize(("function", "given", "name", "dtype", "dimensions"), FILLING)
def test_only_an_array_that_can_be_filled_is_taken(
    function: Any, given: dict[str, Any], name: str, dtype: str, dimensions: int
) -> None:
    fitting = np.zeros((6,) * dimensions, dtype)
    with pytest.raises(ValueError, match=r"."):  # it is taken: what is wrong is its shape, or a name
        function(**given, **{name: fitting})
    constant = fitting.copy()
    constant.flags.writeable = False
    for other in (
        fitting.astype(dtype[:-2] + "16"),
        fitting[::2],
        fitting.T[..., ::2],
        constant,
        fitting.tolist(),
    ):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            function(**given, **{name: other})
