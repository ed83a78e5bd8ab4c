"""Renderable: the output methods of all results, for scripts and notebooks.

Renderings are in `understudy.report`, a higher layer. This is the only file below it that calls it, on request.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from understudy.choices import MOST_DIGITS
from understudy.equality import EqualByValue
from understudy.settings import check_whole

if TYPE_CHECKING:
    from understudy.corpus.files import Path
    from understudy.report.renderers import Renderer


class Renderable(EqualByValue):
    """A result that can be displayed, converted and saved. Numbers for readers have `digits` decimal places, all others
    full precision.
    """

    def to_dict(self) -> dict[str, Any]:
        """Everything, as dictionaries, lists, texts and numbers: what `--format json` prints."""
        return self._renderer.data(self)

    def to_frame(self, table: str | None = None) -> Any:
        """A table as a pandas data frame: the one that `--format tsv` begins with, or another by its name. A comparison
        has `pairs` and `systems`.
        """
        from understudy.report.sheets import as_frame, named

        return as_frame(named(self._renderer.sheets(self), table))

    def to_latex(self, *, digits: int | None = None, **how: Any) -> str:
        """Tables for a paper: what `--format latex` prints."""
        return self._text("latex", digits, how)

    def to_markdown(self, *, digits: int | None = None, **how: Any) -> str:
        """Tables for a page: what `--format markdown` prints."""
        return self._text("markdown", digits, how)

    def report(self, path: Path, *, digits: int | None = None, **how: Any) -> None:
        """Writes one HTML file that needs no network: what `--report` writes."""
        from understudy.corpus.files import written

        page = self._renderer.page(self, digits=self._digits(digits), **how)
        with written(path) as file:
            file.write(page.encode("utf-8", "backslashreplace") + b"\n")

    def figures(self, folder: Path, **how: Any) -> None:
        """Writes the figures of the report as SVG and PNG, and the data behind them as CSV: what `--figures` writes."""
        from understudy.corpus.files import made_folder, written_whole
        from understudy.report.charts import files

        made_folder(folder)
        for name, content in files(self._renderer.figures(self, **how)):
            with written_whole(os.path.join(folder, name)) as file:
                file.write(content)

    def __repr__(self) -> str:
        from understudy.report.notebook import as_text

        return as_text(self._renderer.shown(self, self._renderer.digits))

    def _repr_html_(self) -> str:
        from understudy.report.notebook import as_html

        return as_html(self._renderer.shown(self, self._renderer.digits))

    def _text(self, format: str, digits: int | None, how: dict[str, Any]) -> str:
        return self._renderer.render(self, format, digits=self._digits(digits), **how)

    def _digits(self, digits: int | None) -> int:
        if digits is None:
            return self._renderer.digits
        check_whole("digits", digits, least=0, most=MOST_DIGITS)
        return digits

    @property
    def _renderer(self) -> Renderer:
        from understudy.report.renderers import renderer_of

        return renderer_of(self)
