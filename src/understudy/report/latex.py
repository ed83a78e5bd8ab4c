"""A grid as a LaTeX tabular with booktabs rules, ready to be put into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable

from understudy.report.grid import CLOSER, HIGHER, LOWER, Grid

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: "\\" + character for character in "{}$&#_%"},
    HIGHER: r"$\uparrow$",
    LOWER: r"$\downarrow$",
    CLOSER: r"$\to$",
}


def latex(grid: Grid) -> str:
    """The tabular, then notes and signatures in small print; signatures also as comments, to be copied. With a caption
    it is a table that floats.

    >>> from understudy.report.grid import GridColumn
    >>> print(latex(Grid([GridColumn(("system",), ["a_b"], numeric=False), GridColumn(("BLEU ↑",), ["9"])])))
    % Needs \\usepackage{booktabs}.
    \\begin{tabular}{lr}
    \\toprule
    system & BLEU $\\uparrow$ \\\\
    \\midrule
    a\\_b & 9 \\\\
    \\bottomrule
    \\end{tabular}
    """
    body = []
    for row in range(grid.rows):
        cells = ((_cell(column.cells[row], column.numeric), row in column.best) for column in grid.columns)
        body.append(_row(rf"\textbf{{{cell}}}" if best else cell for cell, best in cells))
    small_print = [escaped(note) for note in grid.notes]
    small_print += [f"{escaped(label)}: {_signature(text)}" for label, text in grid.signatures]
    tabular = [
        rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in grid.columns)}}}",
        r"\toprule",
        *(_row(map(escaped, line)) for line in grid.header_rows()),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    below = [rf"\par{{\footnotesize {line}\par}}" for line in small_print]
    if grid.caption:
        caption = rf"\caption{{{escaped(grid.caption)}}}"
        tabular = [r"\begin{table}", r"\centering", *tabular, caption, *below, r"\end{table}"]
    else:
        tabular += below
    return "\n".join(
        [
            r"% Needs \usepackage{booktabs}.",
            *(f"% {label}: {signature}" for label, signature in grid.signatures),
            *tabular,
        ]
    )


def escaped(text: str) -> str:
    r"""The text as LaTeX shows it unchanged.

    >>> print(escaped("50%_a"))
    50\%\_a
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def _cell(text: str, numeric: bool) -> str:
    r"""A hyphen is no minus.

    >>> print(_cell("-1.50 to -0.50", numeric=True))
    $-$1.50 to $-$0.50
    """
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", escaped(text)) if numeric else escaped(text)


def _signature(signature: str) -> str:
    # A signature is one long word to TeX: say where a line may end.
    return r"\texttt{" + r"\textbar{}\allowbreak{}".join(map(escaped, signature.split("|"))) + "}"


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
