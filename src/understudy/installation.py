"""What the package is called where it is installed from: the one place that messages and pages take it from."""

from __future__ import annotations

DISTRIBUTION = "understudy-mt"  # on PyPI, where `understudy` is another package
ENGLISH_MODEL = "understudy-english"  # the English parser's model, installed by the extra `syntax`


def install_command(extra: str) -> str:
    """The command that installs an extra.

    >>> print(install_command("parquet"))
    pip install 'understudy-mt[parquet]'
    """
    return f"pip install '{DISTRIBUTION}[{extra}]'"
