"""sacreBLEU's test sets by name, from understudy's table of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from understudy.compat.sacrebleu.dataset.base import Dataset
from understudy.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from understudy.compat.sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from understudy.compat.sacrebleu.dataset.plain_text import PlainTextDataset
from understudy.compat.sacrebleu.dataset.tsv import TSVDataset
from understudy.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset
from understudy.corpus.test_sets.catalog import CatalogEntry, PairFiles, catalog, document_tags

__all__ = [
    "COUNTRIES",
    "DATASETS",
    "DOMAINS",
    "SUBSETS",
    "FakeSGMLDataset",
    "IWSLTXMLDataset",
    "PlainTextDataset",
    "TSVDataset",
    "WMTAdditionDataset",
    "WMTXMLDataset",
]

_OF_LAYOUT: dict[str, type[Dataset]] = {
    "text": PlainTextDataset,
    "tsv": TSVDataset,
    "sgml": FakeSGMLDataset,
    "wmt-xml": WMTXMLDataset,
}


def _class_of(entry: CatalogEntry) -> type[Dataset]:
    if entry.layout == "sgml" and entry.name.startswith("iwslt"):
        return IWSLTXMLDataset
    if entry.layout == "sgml" and entry.name.startswith(("wmt19/google/", "wmt17/ms")):
        return WMTAdditionDataset
    return _OF_LAYOUT[entry.layout]


def _dataset(entry: CatalogEntry) -> Dataset:
    more: dict[str, Any] = {}
    usual = Counter(files.translators for files in entry.pairs.values()).most_common(1)[0][0]
    if entry.layout == "wmt-xml":
        more["refs"] = list(usual)
    return _class_of(entry)(
        entry.name,
        data=[url for url, _ in entry.addresses],
        description=entry.description,
        citation=entry.citation or None,
        md5=[digest for _, digest in entry.addresses],
        langpairs={pair: _files(files, usual) for pair, files in entry.pairs.items()},
        **more,
    )


def _files(files: PairFiles, usual: tuple[str, ...]) -> Any:
    if files.translators != usual:
        return {"path": files.files[0], "refs": list(files.translators)}
    return list(files.files)


DATASETS: dict[str, Dataset] = {name: _dataset(entry) for name, entry in catalog().items()}
SUBSETS = {name: dict(document_tags(name)) for name in DATASETS if document_tags(name)}
_TAGS = [tag.split("-") for tags in SUBSETS.values() for tag in tags.values()]
COUNTRIES = sorted({tag[0] for tag in _TAGS})
DOMAINS = sorted({tag[1] for tag in _TAGS})
