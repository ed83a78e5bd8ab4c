"""The stub of the core says what the compiled module has: the same names, parameters, defaults and types."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import understudy
from understudy import _core

STUB = ast.parse(Path(understudy.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
CONSTANTS = {ast.unparse(node.target): node for node in STUB.body if isinstance(node, ast.AnnAssign)}
# What the stub names for type checkers alone.
TYPES = {ast.unparse(node.targets[0]) for node in STUB.body if isinstance(node, ast.Assign)}


def functions(nodes: list[ast.stmt]) -> dict[str, list[ast.FunctionDef]]:
    """The functions of the stub by name, each with its overloads."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def declared() -> Iterator[Any]:
    """Every function and method of the stub, and what the module has in its place."""
    for owner, nodes in [
        (_core, STUB.body),
        *((getattr(_core, name), CLASSES[name].body) for name in CLASSES),
    ]:
        for name, overloads in functions(nodes).items():
            yield pytest.param(vars(owner).get(name), overloads, id=f"{owner.__name__}.{name}")


def of_module(function: Any) -> list[ast.FunctionDef]:
    """The signatures that nanobind has recorded, as Python would have them."""
    bound: Any = function.fget if isinstance(function, property) else function
    return [_parsed(text, defaults) for text, _, defaults in bound.__nb_signature__]


def _parsed(text: str, defaults: tuple[Any, ...] | None) -> ast.FunctionDef:
    text = re.sub(r"(?:numpy\.)?ndarray\[dtype=(\w+)[^\]]*\]", r"NDArray[np.\1]", text)
    text = re.sub(r"\\(\d+)", lambda match: repr((defaults or ())[int(match[1])]), text)
    text = text.replace("understudy._core.", "").replace("collections.abc.", "").replace("def (", "def _(")
    (parsed,) = ast.parse(f"{text}: ...").body
    assert isinstance(parsed, ast.FunctionDef)
    return parsed


def parameters(function: ast.FunctionDef) -> list[tuple[str, str, str]]:
    """Of each parameter its name, its kind and its default. Operators are called without names."""
    arguments = function.args
    positional = [*((argument, "positional") for argument in (*arguments.posonlyargs, *arguments.args))]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    keywords = [(argument, "keyword") for argument in arguments.kwonlyargs]
    unnamed = function.name.startswith("__") and function.name != "__init__"
    return [
        ("" if unnamed else argument.arg, kind, "" if default is None else ast.unparse(default))
        for (argument, kind), default in zip(
            [*positional, *keywords], [*defaults, *arguments.kw_defaults], strict=True
        )
    ]


def types(function: ast.FunctionDef) -> list[str]:
    """The types of the parameters and of what is returned."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    noted = [argument.annotation for argument in arguments] + [function.returns]
    return ["" if note is None else ast.unparse(note) for note in noted]


def test_the_stub_has_every_name() -> None:
    public = {name for name in vars(_core) if not name.startswith("_")}
    assert {*functions(STUB.body), *CLASSES, *CONSTANTS} == public


def test_types_for_type_checkers_are_not_in_the_module() -> None:
    assert not [name for name in TYPES if hasattr(_core, name)]


@pytest.mark.parametrize("name", CLASSES)
def test_the_stub_has_every_method(name: str) -> None:
    own = {"__init__", "__len__", "__getitem__", "__getstate__", "__setstate__"}
    has = {
        method
        for method, value in vars(getattr(_core, name)).items()
        if (not method.startswith("__") or method in own) and not isinstance(value, str)
    }
    written = set(functions(CLASSES[name].body)) | {"__init__"} & has
    assert written == has


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_of_their_type(name: str) -> None:
    assert type(getattr(_core, name)).__name__ == ast.unparse(CONSTANTS[name].annotation)


@pytest.mark.parametrize(("function", "overloads"), list(declared()))
def test_functions_take_what_the_stub_says(function: Any, overloads: list[ast.FunctionDef]) -> None:
    assert function is not None
    compiled = of_module(function)
    if (
        len(overloads) == 1
    ):  # one signature in the stub may stand for several, with Any for what they differ in
        overloads = overloads * len(compiled)
    assert len(compiled) == len(overloads)
    for one, written in zip(compiled, overloads, strict=True):
        assert parameters(one) == parameters(written)
        for got, said in zip(types(one), types(written), strict=True):
            # The stub may be more exact: nanobind knows of no elements of lists that it makes of Python objects.
            assert got in (said, "object", "list", "tuple", "") or "Any" in said, (
                f"{got} is {said} in the stub"
            )
