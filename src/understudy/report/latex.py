"""A grid as a LaTeX tabular with booktabs rules, ready for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable

from understudy.report.grid import CLOSER, HIGHER, LOWER, Grid, GridColumn, marks_of

# Behind numbers, as superscripts. Of LaTeX's own symbols: no package is needed.
_MARKS = {"▲": r"\bigtriangleup", "▼": r"\bigtriangledown", "≈": r"\approx"}

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
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    **{mark: f"${sign}$" for mark, sign in _MARKS.items()},
    "\0": "{}",
}
_POWER = re.compile(r"(\d(?:\.\d+)?) × 10\\textasciicircum\{\}(\d+)")  # as `escaped` leaves it
# Signs of which TeX makes one: -- a dash, ?` a Spanish question mark.
_LIGATURE = r"(?<=[-`',?!])(?=[-`',])"

_LAST_LATIN = 0x17F  # of the letters that pdfLaTeX has
_QUOTES = "‘’‚“”„‹›–—…"


def latex(grid: Grid) -> str:
    """The tabular, then notes and signatures in small print; signatures also as comments, to be copied, and so is the
    BibTeX entry of the test set. With a caption it is a table that floats.

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
        body.append(_row(_cell_of(column, row) for column in grid.columns))
    small_print = [_cited(escaped(note), grid) for note in grid.notes]
    small_print += [f"{escaped(label)}: {_signature(text)}" for label, text in grid.signatures]
    tabular = [
        rf"\begin{{tabular}}{{{''.join(map(_alignment, grid.columns))}}}",
        r"\toprule",
        *(_row(map(escaped, line)) for line in grid.header_rows()),
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    below = [rf"\par{{\footnotesize\raggedright {line}\par}}" for line in small_print]
    if grid.caption:
        caption = rf"\caption{{{_cited(escaped(grid.caption), grid)}}}"
        tabular = [r"\begin{table}", r"\centering", *tabular, caption, *below, r"\end{table}"]
    else:
        tabular += below
    return "\n".join(
        [
            rf"% Needs \usepackage{{booktabs}}{_more_needs(''.join(tabular))}.",
            *(f"% {label}: {signature}" for label, signature in grid.signatures),
            *(f"% {line}" for line in (grid.cited.citation.strip() if grid.cited else "").splitlines()),
            *tabular,
        ]
    )


def _cited(text: str, grid: Grid) -> str:
    r"""With \cite behind the name of the test set."""
    if grid.cited is None or not grid.cited.keys:
        return text
    named = escaped(str(grid.cited))
    return text.replace(named, rf"{named}~\cite{{{','.join(grid.cited.keys)}}}")


def _more_needs(text: str) -> str:
    """What characters ask for: LaTeX as it is can set no more than English."""
    beyond = {character for character in text if not character.isascii()}
    if any(ord(character) > _LAST_LATIN and character not in _QUOTES for character in beyond):
        return " and, for its characters, XeLaTeX or LuaLaTeX with a font that has them"
    return r" and \usepackage[T1]{fontenc}" if beyond else ""


def _alignment(column: GridColumn) -> str:
    if column.prose:
        return r"p{0.5\linewidth}"
    return "r" if column.numeric else "l"


def escaped(text: str) -> str:
    r"""The text as LaTeX shows it unchanged.

    >>> print(escaped("50%_a--b"))
    50\%\_a-{}-b
    >>> print(escaped("6.2 × 10^9"))
    $6.2\times 10^{9}$
    """
    apart = re.sub(_LIGATURE, "\0", text)  # \0 is in no text that was printable
    shown = "".join(_SPECIAL.get(character, character) for character in apart)
    return _POWER.sub(r"$\g<1>\\times 10^{\2}$", shown)


def _cell_of(column: GridColumn, row: int) -> str:
    """With its marks, and as much room as the longest marks of the column take."""
    cell = _cell(column.cells[row], column.numeric)
    marks, longest = marks_of(column)
    widest = max(marks, key=len)
    shown = rf"\textbf{{{cell}}}" if row in column.best else cell
    if mark := marks[row]:
        shown += _superscript(mark)
    return shown + (rf"\phantom{{{_superscript(widest[len(mark) :])}}}" if len(mark) < longest else "")


def _superscript(marks: str) -> str:
    return "$^{" + "".join(_MARKS[mark] for mark in marks) + "}$"


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
    row = " & ".join(cells)
    # After the \\ of the row above, a [ or * would belong to that.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"
