"""Round-trip BLEU: what is left of a source text after it was translated and translated back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.bleu import BLEU


@dataclass(frozen=True, kw_only=True, repr=False)
class RoundTripBLEU(BLEU):
    """BLEU of back-translations against the source texts they come from. Its choices are BLEU's.

    >>> back_translations, sources = ["Die Katze saß auf der Matte."], ["Die Katze sitzt auf der Matte."]
    >>> print(f"{RoundTripBLEU().corpus(back_translations, sources).value:.2f}")
    48.89
    """

    name: ClassVar[str] = "round-trip-bleu"
    title: ClassVar[str] = "round-trip BLEU"
    summary: ClassVar[str] = (
        "BLEU of a text that was translated and translated back, against the text it was: where the system is the "
        "back-translation and the reference is the source."
    )
    citation: ClassVar[str] = (
        "What it can tell and what not: Harold Somers: Round-Trip Translation: What Is It Good For? ALTW 2005. "
        f"BLEU: {BLEU.citation}"
    )
    not_for: ClassVar[str] = (
        "Choosing between translation systems: two systems are measured at once, there and back. What was left "
        "untranslated comes back unharmed, and what was lost on the way there may be guessed on the way back."
    )
    panel: ClassVar[tuple[int, str] | None] = None

    def choices(self) -> dict[str, str]:
        return {**super().choices(), "refs": "source"}
