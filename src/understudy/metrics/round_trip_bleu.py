"""Round-trip BLEU: BLEU of the back-translation against the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.bleu import BLEU


@dataclass(frozen=True, kw_only=True, repr=False)
class RoundTripBLEU(BLEU):
    """BLEU of back-translations against their sources. The parameters are BLEU's.

    >>> back_translations, sources = ["Die Katze saß auf der Matte."], ["Die Katze sitzt auf der Matte."]
    >>> print(f"{RoundTripBLEU().corpus(back_translations, sources).value:.2f}")
    48.89
    """

    name: ClassVar[str] = "round-trip-bleu"
    title: ClassVar[str] = "round-trip BLEU"
    summary: ClassVar[str] = "BLEU of the back-translation against the source."
    citation: ClassVar[str] = (
        "Limitations: Harold Somers: Round-Trip Translation: What Is It Good For? ALTW 2005. BLEU: "
        f"{BLEU.citation}"
    )
    not_for: ClassVar[str] = (
        "Comparing translation systems: forward and backward translation are evaluated together. Untranslated "
        "words survive the round trip, and the backward system can restore information that the forward system "
        "lost."
    )
    panel: ClassVar[tuple[int, str] | None] = None

    def choices(self) -> dict[str, str]:
        return {**super().choices(), "refs": "source"}
