"""Where test sets are stored: sacreBLEU's folder, which both programs share, and the folder of judged test sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from understudy.corpus import test_sets
from understudy.disk_cache import cache_folder, home_folder


@dataclass(frozen=True)
class DataPlaces:
    """The folders of test sets."""

    sets: Path  # sacreBLEU's
    judged: tuple[Path, ...]  # that of understudy, and that of mt-metrics-eval

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> DataPlaces:
        """According to environment variables: SACREBLEU, UNDERSTUDY_DATA, XDG_CACHE_HOME.

        >>> DataPlaces.of({"SACREBLEU": "/data/sets"}).sets.as_posix()
        '/data/sets'
        """
        shared, own = environment.get("SACREBLEU"), environment.get("UNDERSTUDY_DATA")
        return cls(
            Path(shared) if shared else home_folder() / ".sacrebleu",
            (
                Path(own) if own else cache_folder(environment) / "data",
                home_folder() / ".mt-metrics-eval",
            ),
        )


def data_places() -> DataPlaces:
    """The places in use: those of the command line's environment, else the usual ones."""
    return DataPlaces.of(test_sets.environment)
