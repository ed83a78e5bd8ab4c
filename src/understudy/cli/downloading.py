"""Downloads that a user has asked for, with a progress bar in terminals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from understudy.cli import say
from understudy.cli.progress import progress_of_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from understudy.downloads import RemoteFile


def bring(remote: RemoteFile, target: Path) -> Path:
    """Download a file. The proxies are those of the environment."""
    from urllib.request import getproxies

    from understudy.downloads import download

    say(f"downloading {remote.url}")
    with progress_of_bytes(os.path.basename(remote.url)) as advance:
        return download(remote, target, progress=advance, proxies=getproxies())
