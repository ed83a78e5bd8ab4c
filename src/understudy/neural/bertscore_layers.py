"""The layer of an encoder that BERTScore compares, if none is chosen.

For the models below, the layer with the best correlation with human scores on WMT16, as published with bert-score
0.3.13; for all-MiniLM-L6-v2, see docs/metrics/bertscore.md. For all others, three quarters of the layers, where most
of the known ones are.
"""

from __future__ import annotations

from understudy.errors import BadInput
from understudy.neural.model_files import FoundModel

_KNOWN = {
    "all-minilm-l6-v2": 4,
    "albert-base-v2": 9,
    "albert-large-v2": 14,
    "albert-xlarge-v2": 13,
    "albert-xxlarge-v2": 8,
    "bart-base": 6,
    "bart-large": 10,
    "bart-large-mnli": 11,
    "bert-base-chinese": 8,
    "bert-base-multilingual-cased": 9,
    "bert-base-turkish-cased": 10,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bertweet-base": 9,
    "deberta-base": 9,
    "deberta-base-mnli": 9,
    "deberta-large": 16,
    "deberta-large-mnli": 18,
    "deberta-v2-xlarge": 10,
    "deberta-v2-xlarge-mnli": 17,
    "deberta-v2-xxlarge": 21,
    "deberta-v2-xxlarge-mnli": 22,
    "deberta-v3-base": 9,
    "deberta-v3-large": 12,
    "deberta-v3-small": 4,
    "deberta-v3-xsmall": 10,
    "deberta-xlarge": 18,
    "deberta-xlarge-mnli": 40,
    "distilbert-base-multilingual-cased": 5,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "electra-base-discriminator": 9,
    "electra-large-discriminator": 14,
    "electra-small-discriminator": 11,
    "longformer-base-4096": 7,
    "longformer-large-4096": 14,
    "mdeberta-v3-base": 10,
    "mpnet-base": 8,
    "mt5-base": 11,
    "mt5-large": 19,
    "mt5-small": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "scibert_scivocab_cased": 9,
    "scibert_scivocab_uncased": 8,
    "sup-simcse-bert-base-uncased": 10,
    "sup-simcse-roberta-large": 16,
    "t5-base": 11,
    "t5-large": 23,
    "t5-small": 6,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "xlnet-base-cased": 5,
    "xlnet-large-cased": 7,
}
_NUMBERS = ("num_hidden_layers", "encoder_layers", "n_layers", "n_layer", "num_layers")


def layers_of(found: FoundModel) -> int:
    """The number of layers of an encoder."""
    for name in _NUMBERS:
        if isinstance(number := found.config.get(name), int):
            return number
    raise BadInput(
        f"'{found.folder}': expected an encoder whose config.json has num_hidden_layers. Use the folder of a model "
        "such as BERT, RoBERTa or XLM-R."
    )


def default_layer(found: FoundModel) -> int:
    """The layer of this model, known by its name."""
    most = layers_of(found)
    for name in (found.name, str(found.config.get("_name_or_path", ""))):
        known = _KNOWN.get(name.rpartition("/")[2].lower())
        if known is not None and known <= most:
            return known
    return round(0.75 * most)
