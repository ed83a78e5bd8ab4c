"""Test sets in tables."""

from __future__ import annotations

from typing import ClassVar

from understudy.compat.sacrebleu.dataset.base import Dataset

__all__ = ["Dataset", "TSVDataset"]


class TSVDataset(Dataset):
    """Tables without a header; a file is written COLUMN:FILE."""

    _LAYOUT: ClassVar[str] = "tsv"
