"""Trains the model of the English parser, and scores it.

    python tools/train_parser.py train ../shared/treebank/gum-by-sa.tar.xz models/english/understudy_english
    python tools/train_parser.py score ../shared/treebank/gum-by-sa.tar.xz models/english/understudy_english

The trees are encoded as dependencies (`understudy.syntax.encoding`); the rest is spaCy's ordinary pipeline: one
network over the words that a tagger, a morphologizer (for the chains) and a dependency parser share. Sentences end
where the sentencizer finds a full stop: on the dev part that has an F1 of 92.0; a parser that had learned to end them
itself (six epochs on several sentences at a time) had 89.0. One core, no GPU, random numbers from one seed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from parser_scores import score_report, split_report
from treebank import Sentence, read_archive

from understudy.syntax.encoding import encode
from understudy.syntax.english import loaded
from understudy.syntax.trees import DependencyToken

SEED = 20051
DROPOUT = 0.25
WORDS_PER_BATCH = (500, 1500)  # small batches first: more steps while much is to be learned
LEARNING_RATE = 0.0015
WARMUP_STEPS = 150
# Translations often lack what edited text has; a share of the sentences is changed so, anew in every epoch.
LOWERCASED = 0.08
WITHOUT_FINAL_STOP = 0.10
OTHER_QUOTES = 0.15
SENTENCES_TOGETHER = (1,)  # several would teach the parser where sentences end, which the sentencizer says

# The treebank splits words at hyphens, but not after these (counted in its training part).
KEPT_PREFIXES = (
    *("anti", "co", "counter", "cross", "e", "ex", "inter", "mid"),
    *("mini", "non", "post", "pre", "pro", "re", "semi", "sub"),
)

CONFIG = """
[nlp]
lang = "en"
pipeline = ["sentencizer", "tok2vec", "tagger", "morphologizer", "parser"]

[components]

[components.sentencizer]
factory = "sentencizer"

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 128
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [10000, 2000, 5000, 2000]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 128
depth = 4
window_size = 1
maxout_pieces = 3

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"
nO = null

[components.tagger.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128

[components.morphologizer]
factory = "morphologizer"

[components.morphologizer.model]
@architectures = "spacy.Tagger.v2"
nO = null

[components.morphologizer.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128

[components.parser]
factory = "parser"
min_action_freq = 5

[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = true
hidden_width = 128
maxout_pieces = 2
use_upper = true
nO = null

[components.parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128
"""

QUOTES = [('"', "“", "``"), ('"', "”", "''"), ("'", "‘", "``"), ("'", "’", "''")]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Trains and scores the English model.")
    arguments.add_argument("action", choices=["train", "score"])
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--epochs", type=int, default=14)
    arguments.add_argument(
        "--every", type=int, default=4, help="epochs from one look at the dev part to the next"
    )
    given = arguments.parse_args()
    parts = read_archive(given.treebank)
    if given.action == "train":
        train(parts, given.model, given.epochs, given.every)
    for part in ("dev", "test"):
        pipeline = loaded(given.model)
        print(part, score_report(pipeline, parts[part]), split_report(pipeline, parts[part]), flush=True)


def train(parts: dict[str, list[Sentence]], folder: Path, epochs: int, every: int) -> None:
    import spacy
    from thinc.api import Adam, Config, NumpyOps, fix_random_seed, set_current_ops
    from thinc.schedules import warmup_linear

    set_current_ops(NumpyOps(use_blis=False))  # numpy's own multiplication is twice as fast
    fix_random_seed(SEED)
    rng = random.Random(SEED)
    nlp = spacy.util.load_model_from_config(Config().from_str(CONFIG), auto_fill=True)
    documents = by_document(parts["train"])
    nlp.initialize(lambda: examples(nlp, ([words] for words in chain.from_iterable(documents))))
    steps = sum(len(list(batches(documents, epoch, random.Random(0)))) for epoch in range(epochs))
    print(f"{steps} steps", flush=True)
    rates: Any = warmup_linear(LEARNING_RATE, WARMUP_STEPS, steps)
    optimizer = Adam(rates, L2=0.01, grad_clip=1.0, use_averages=True)
    started = time.perf_counter()
    for epoch in range(epochs):
        losses: dict[str, float] = {}
        for batch in batches(documents, epoch, rng):
            changed = [[varied(words, rng) for words in group] for group in batch]
            nlp.update(list(examples(nlp, changed)), drop=DROPOUT, sgd=optimizer, losses=losses)
            optimizer.step_schedules()
        told = {name: round(loss) for name, loss in losses.items()}
        print(
            f"epoch {epoch + 1} of {epochs}, {time.perf_counter() - started:.0f} s, losses {told}", flush=True
        )
        if (epoch + 1) % every == 0 or epoch + 1 == epochs:
            with nlp.use_params(optimizer.averages):
                print("dev", score_report(nlp, parts["dev"]), flush=True)
                save(nlp, folder)


def by_document(sentences: Iterable[Sentence]) -> list[list[list[DependencyToken]]]:
    """The encoded words of the sentences of every document."""
    found: dict[str, list[list[DependencyToken]]] = {}
    for sentence in sentences:
        tokens = zip(encode(sentence.tree).tokens, sentence.space_after, strict=True)
        words = [token._replace(space_after=space) for token, space in tokens]
        found.setdefault(sentence.document, []).append(words)
    return list(found.values())


def batches(
    documents: Sequence[Sequence[list[DependencyToken]]], epoch: int, rng: random.Random
) -> Iterator[list[list[list[DependencyToken]]]]:
    """All sentences once, in a new order, some with those that follow them; in batches that grow with the epochs."""
    groups = []
    for sentences in documents:
        start = 0
        while start < len(sentences):
            together = rng.choice(SENTENCES_TOGETHER)
            groups.append(list(sentences[start : start + together]))
            start += together
    rng.shuffle(groups)
    smallest, largest = WORDS_PER_BATCH
    wanted = min(largest, smallest + epoch * 200)
    batch: list[list[list[DependencyToken]]] = []
    for group in groups:
        batch.append(group)
        if sum(len(words) for some in batch for words in some) >= wanted:
            yield batch
            batch = []
    if batch:
        yield batch


def varied(words: list[DependencyToken], rng: random.Random) -> list[DependencyToken]:
    """The sentence as it is or, by chance, as a translation may look."""
    if rng.random() < WITHOUT_FINAL_STOP and len(words) > 2 and words[-1].tag == ".":
        heads = {word.head for word in words}
        if words[-1].head and len(words) not in heads:
            words = words[:-1]
    if rng.random() < OTHER_QUOTES:
        swap = {(old, tag): new for one, two, tag in QUOTES for old, new in ((one, two), (two, one))}
        words = [word._replace(form=swap.get((word.form, word.tag), word.form)) for word in words]
        words = [word._replace(form=_other_apostrophe(word.form)) for word in words]
    if rng.random() < LOWERCASED:
        words = [word._replace(form=word.form.lower()) for word in words]
    return words


def _other_apostrophe(form: str) -> str:
    """Don't as don’t and the reverse; quotation marks are not meant."""
    if len(form) == 1:
        return form
    return form.replace("'", "’") if "'" in form else form.replace("’", "'")


def examples(nlp: Any, groups: Iterable[Sequence[list[DependencyToken]]]) -> Iterator[Any]:
    """What spaCy learns from: every group of sentences as one text."""
    from spacy.tokens import Doc
    from spacy.training import Example

    for sentences in groups:
        words = [word for sentence in sentences for word in sentence]
        starts = np.cumsum([0, *map(len, sentences)])
        heads = [
            int(start) + (word.head - 1 if word.head else place)
            for start, sentence in zip(starts[:-1], sentences, strict=True)
            for place, word in enumerate(sentence)
        ]
        forms, spaces = [word.form for word in words], [word.space_after for word in words]
        first = set(starts.tolist())
        reference = Doc(
            nlp.vocab,
            words=forms,
            spaces=spaces,
            tags=[word.tag for word in words],
            morphs=[word.features for word in words],
            heads=heads,
            deps=[word.relation for word in words],
        )
        assert [token.is_sent_start for token in reference] == [place in first for place in range(len(words))]
        yield Example(Doc(nlp.vocab, words=forms, spaces=spaces), reference)


def set_tokenizer(nlp: Any) -> None:
    """spaCy's English tokenizer with what the treebank does otherwise."""
    from spacy.lang.char_classes import ALPHA, HYPHENS
    from spacy.lang.en import EnglishDefaults
    from spacy.util import compile_infix_regex

    before_letters = rf"(?<=[{ALPHA}0-9])(?:{HYPHENS})(?=[{ALPHA}])"
    not_after_prefix = "".join(rf"(?<!\b(?i:{prefix}))" for prefix in KEPT_PREFIXES)
    rules = list(EnglishDefaults.infixes or ())
    rules[rules.index(before_letters)] = not_after_prefix + before_letters
    rules += [r"(?<=[0-9])[–—](?=[0-9])", rf"(?<=[{ALPHA}])-(?=[0-9])"]
    nlp.tokenizer.infix_finditer = compile_infix_regex(rules).finditer


def save(nlp: Any, folder: Path) -> None:
    """The model as `understudy.syntax.english` reads it: weights rounded to 16 bits, all of it compressed."""
    import lzma

    folder.mkdir(parents=True, exist_ok=True)
    trained = [pipe for name, pipe in nlp.pipeline if name != "sentencizer"]
    for pipe in trained:
        for node in pipe.model.walk():
            for parameter in node.param_names:
                if node.has_param(parameter):
                    weights = node.get_param(parameter)
                    node.set_param(parameter, weights.astype(np.float16).astype(np.float32))
    set_tokenizer(nlp)
    nlp.config.to_disk(folder / "config.cfg")
    # The words seen in training are only looked up by their hashes: no need to keep them.
    data = nlp.to_bytes(exclude=["vocab"])
    (folder / "model.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    print(f"{(folder / 'model.xz').stat().st_size / 1e6:.2f} MB", flush=True)


if __name__ == "__main__":
    main()
