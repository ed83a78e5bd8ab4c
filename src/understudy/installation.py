"""Names of the distributions and install commands. All messages and pages use these."""

from __future__ import annotations

DISTRIBUTION = "understudy-mt"  # on PyPI, where `understudy` is another package
ENGLISH_MODEL = "understudy-english"  # the English parser's model, installed by the extra `syntax`


def install_command(extra: str) -> str:
    """The command that installs an extra.

    >>> print(install_command("parquet"))
    pip install 'understudy-mt[parquet]'
    """
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def install_hint(extra: str) -> str:
    """The command for messages, with its form for a checkout of the repository.

    >>> print(install_hint("parquet"))
    pip install 'understudy-mt[parquet]', or pip install -e '.[parquet]' in a checkout
    """
    model = "-e ./models/english " if extra == "syntax" else ""  # the extra's own distribution
    return f"{install_command(extra)}, or pip install {model}-e '.[{extra}]' in a checkout"
