"""Test sets in the SGML of WMT until 2020."""

from __future__ import annotations

from typing import ClassVar

from understudy.compat.sacrebleu.dataset.base import Dataset

__all__ = ["Dataset", "FakeSGMLDataset", "WMTAdditionDataset"]


class FakeSGMLDataset(Dataset):
    """A file of SGML for the source and for each reference."""

    _LAYOUT: ClassVar[str] = "sgml"


class WMTAdditionDataset(FakeSGMLDataset):
    """The same, with references that are plain text."""
