"""Test sets of plain text."""

from __future__ import annotations

from understudy.compat.sacrebleu.dataset.base import Dataset

__all__ = ["Dataset", "PlainTextDataset"]


class PlainTextDataset(Dataset):
    """A file of lines for the source and for each reference."""
