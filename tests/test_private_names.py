"""What is private begins with an underscore: a name of a module that no other file uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MODULES = sorted(SOURCE.rglob("*.py"))
USERS = [
    *MODULES,
    *(path for folder in ("tests", "tools", "bench") for path in (ROOT / folder).rglob("*.py")),
]

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name_of(path: Path) -> str:
    """As it is imported."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def names_used(path: Path, tree: ast.Module) -> Iterator[str]:
    """Full names of what a file takes from other modules, as in `import`, `module.name` or a string."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            home = node.module or ""
            if node.level:
                package = path.relative_to(SOURCE).parent.parts
                home = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            known |= {alias.asname or alias.name: f"{home}.{alias.name}" for alias in node.names}
    yield from known.values()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{known.get(node.value.id)}.{node.attr}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\bunderstudy(?:\.\w+)+", node.value)
        elif (  # monkeypatch.setattr(module, "name", ...)
            isinstance(node, ast.Call)
            and len(node.args) > 1
            and isinstance(node.args[0], ast.Name)
            and isinstance(node.args[1], ast.Constant)
            and isinstance(node.args[1].value, str)
        ):
            yield f"{known.get(node.args[0].id)}.{node.args[1].value}"


def definitions(tree: ast.Module) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.If, ast.Try)):
            waiting += node.body
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return found


def interface(node: Definition) -> set[str]:
    """The names in what others see of a definition: the types of a function or of the fields of a class."""
    if isinstance(node, ast.Assign):  # such as Text = str | Path
        shown = [node.value]
    else:
        shown = [
            each
            for part in ast.walk(node)
            for each in (getattr(part, "annotation", None), getattr(part, "returns", None))
            if each is not None
        ]
    return {each.id for part in shown for each in ast.walk(part) if isinstance(each, ast.Name)}


def without_underscore(tree: ast.Module, used: set[str]) -> list[str]:
    """Names that should have one. `used` are those that other files use."""
    defined = definitions(tree)
    seen = [name for name in defined if name in used]
    for name in seen:  # the types of what is used are seen with it
        types = interface(defined[name]) & defined.keys()
        seen += sorted(each for each in types - {*seen} if not each.isupper())
    return sorted(
        name
        for name, node in defined.items()
        if not name.startswith("_") and name not in seen and not is_exempt(node)
    )


def is_exempt(node: Definition) -> bool:
    """Commands, which are called by their names on the command line, and type variables."""
    if isinstance(node, ast.FunctionDef):
        return any("command" in ast.unparse(decorator) for decorator in node.decorator_list)
    return isinstance(node, ast.Assign) and "TypeVar" in ast.unparse(node.value)


@pytest.fixture(scope="module")
def used() -> set[str]:
    stub = SOURCE / "understudy" / "__init__.pyi"
    return {name for path in (*USERS, stub) for name in names_used(path, parsed(path))}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_no_other_file_uses_begins_with_an_underscore(path, used):
    home = name_of(path)
    if "compat" in path.parts or home == "understudy.cli.sacrebleu.printing":
        return  # names of other libraries
    here = {name.rpartition(".")[2] for name in used if name.rpartition(".")[0] == home}
    assert not without_underscore(parsed(path), here)


def test_types_of_what_is_used_are_seen_with_it():
    tree = ast.parse("class Part: ...\nclass Other: ...\ndef made() -> Part: ...\nLIMIT = 3\n")
    assert without_underscore(tree, {"made"}) == ["LIMIT", "Other"]
