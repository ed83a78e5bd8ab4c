"""Many command lines of a Python program, in one process that is forked for each, because its start takes long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

_PROGRAM = """
import json, os, sys, tempfile
{imports}
for case in json.load(sys.stdin):
    files = [tempfile.TemporaryFile() for _ in range(3)]
    files[0].write(case["given"].encode("latin-1"))
    files[0].seek(0)
    child = os.fork()
    if child == 0:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        os.environ.update(case["environment"])
        sys.argv = ["sacrebleu", *case["arguments"]]
        # As at the start of a program, and open when it replaces them.
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, closefd=False) for number, mode in enumerate(["r", "w", "w"])
        )
        code = 1
        try:
            {call}
            code = 0
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    told = []
    for file in files[1:]:
        file.seek(0)
        told.append(file.read().decode("latin-1"))
    print(json.dumps([os.waitstatus_to_exitcode(status), *told]))
"""


@dataclass(frozen=True)
class CommandLine:
    """Arguments, what is on standard input, and changes of the environment."""

    arguments: Sequence[str]
    given: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    code: int
    output: bytes
    errors: str  # with paths from the current directory on


def outcomes(imports: str, call: str, lines: Sequence[CommandLine], folder: Path) -> list[Outcome]:
    """What each command line leads to, in a folder that has a cache of test sets, without a network."""
    asked: list[dict[str, Any]] = [{**asdict(line), "given": line.given.decode("latin-1")} for line in lines]
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SACREBLEU", "NO_COLOR", "LC_", "LANG"))
        and not name.lower().endswith("_proxy")
    }
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    run = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(imports=imports, call=call)],
        input=json.dumps(asked).encode(),
        cwd=folder,
        env={**kept, **nowhere, "SACREBLEU": str(folder / "cache"), "HOME": str(folder)},
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(found) == len(lines), run.stderr.decode()
    return [
        Outcome(code, output.encode("latin-1"), errors.encode("latin-1").decode().replace(f"{folder}/", ""))
        for code, output, errors in found
    ]
