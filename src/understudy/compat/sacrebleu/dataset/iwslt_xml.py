"""Test sets of IWSLT."""

from __future__ import annotations

from understudy.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset

__all__ = ["FakeSGMLDataset", "IWSLTXMLDataset"]


class IWSLTXMLDataset(FakeSGMLDataset):
    """XML that is read as SGML is."""
