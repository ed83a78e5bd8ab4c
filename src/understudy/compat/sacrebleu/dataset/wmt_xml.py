"""Test sets in the XML of WMT since 2021."""

from __future__ import annotations

from typing import Any, ClassVar

from understudy.compat.sacrebleu.dataset.base import Dataset
from understudy.corpus.test_sets.catalog import PairFiles
from understudy.corpus.test_sets.layouts import fields_of

__all__ = ["Dataset", "WMTXMLDataset"]


class WMTXMLDataset(Dataset):
    """One file with the source, all references and the outputs of systems. `refs` names the translators whose
    references belong to the set; a language pair may have its own: `{"path": ..., "refs": [...]}`.
    """

    _LAYOUT: ClassVar[str] = "wmt-xml"
    fields_are_in_files: ClassVar[bool] = True

    def _files(self, given: Any) -> PairFiles:
        usual = self.kwargs.get("refs", [])
        if isinstance(given, dict):
            return PairFiles((given["path"],), tuple(given.get("refs", usual)))
        return PairFiles(tuple(given), tuple(usual))

    def fieldnames(self, langpair: str) -> list[str]:
        """The names of the fields, in the order of the published file if it is there."""
        stored = self._stored(langpair)
        (file,) = self._entry.files_of(langpair).files
        if (stored.raw / file).is_file():
            return list(fields_of(self._entry, langpair, stored.raw))
        return stored.fields()
