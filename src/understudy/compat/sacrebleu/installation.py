"""This package under the name `sacrebleu`, for programs that cannot be edited."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

_NAME = "sacrebleu"
_HOME = "understudy.compat.sacrebleu"


def install() -> None:
    """From now on, `import sacrebleu` gives this package and its modules, in place of an installed sacreBLEU."""
    uninstall()
    package = import_module(_HOME)
    homes = [_HOME, *(found.name for found in pkgutil.walk_packages(package.__path__, f"{_HOME}."))]
    for home in homes:
        if not home.endswith(".__main__"):
            sys.modules[_NAME + home.removeprefix(_HOME)] = import_module(home)


def uninstall() -> None:
    """Undo `install`: the next import finds sacreBLEU itself, if it is installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _NAME]:
        del sys.modules[name]
