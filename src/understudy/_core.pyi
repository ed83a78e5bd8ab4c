"""The C++ core. See core/bindings/bindings.h."""

from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

CHRF_EPSILON: float
INFORMATION_BITS: int
LENGTH_UNITS: int
MOST_BYTES: int  # of the tables of one segment
REST_BITS: int
SIZE_REST_BITS: int
UNICODE_VERSION: str
WHOLE_AND_REST_BITS: int
WHOLE_BITS: int
WEIGHT_BITS: int

class InvalidUtf8(ValueError): ...  # args: line (1-based), byte offset, byte
class NotText(TypeError): ...
class TooLong(ValueError): ...  # args: segment (0-based), words of the hypothesis, words of the reference

class Column:
    def __init__(self, column: Column) -> None: ...
    @staticmethod
    def from_strings(strings: Iterable[str | None]) -> Column: ...
    @staticmethod
    def from_arrow(array: Any) -> Column: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> Column: ...
    def absent_rows(self) -> list[int]: ...
    def lowered(self, letter_case: str) -> Column: ...
    def taken(self, rows: NDArray[np.int64]) -> Column: ...
    def __getstate__(self) -> list[str | None]: ...
    def __setstate__(self, state: list[str | None]) -> None: ...

class LineReader:
    def __init__(self) -> None: ...
    def feed(self, bytes: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def available(self) -> int: ...
    def take(self, count: int) -> Column: ...

class ReferenceNgrams:
    def __init__(
        self, *, tokenizer: str, letter_case: str, max_order: int, by_text: bool = False
    ) -> None: ...
    def add(self, references: Sequence[Column]) -> None: ...
    def finish(self) -> None: ...
    @property
    def words(self) -> int: ...
    @property
    def texts(self) -> int: ...  # if they are counted by text
    @property
    def fingerprint(self) -> int: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: bytes) -> None: ...

class DocumentWords:
    def __init__(self, *, tokenizer: str, letter_case: str, named: bool) -> None: ...
    def add(self, references: Sequence[Column], names: Column | None) -> None: ...
    @property
    def named(self) -> bool: ...
    @property
    def words(self) -> int: ...
    @property
    def documents(self) -> int: ...
    @property
    def fingerprint(self) -> int: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...]) -> None: ...

def tokens(text: str, tokenizer: str, letter_case: str = "keep") -> list[str]: ...
def tercom_tokens(
    text: str,
    *,
    letter_case: str,
    normalized: bool,
    asian: bool,
    no_punct: bool,
    as_sacrebleu: bool,
    as_java: bool,
) -> list[str]: ...
def count_ngrams(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    reference_length: str,
    max_order: int,
    threads: int,
) -> None: ...
def count_ngrams_by_reference(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    max_order: int,
    threads: int,
) -> None: ...
def count_edits(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    kind: str,
    length: str,
    each_insertion: bool,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> None: ...
def count_exact(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str | None,
    letter_case: str,
    threads: int,
) -> None: ...
def count_chrf(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    letter_case: str,
    whitespace: bool,
    char_order: int,
    word_order: int,
    threads: int,
) -> None: ...
def count_ribes(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    search: str,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> None: ...
def count_lcs(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    separator: str,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> None: ...
def count_skip_bigrams(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    max_skip: int,
    single_words: str,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> None: ...
def count_weighted_lcs(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.float64],
    *,
    weight: float,
    runs_of_reference: bool,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> None: ...
def count_ter(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    normalized: bool,
    asian: bool,
    no_punct: bool,
    as_sacrebleu: bool,
    as_java: bool,
    references_twice: bool,
    beam: int,
    beam_of_costs: bool,
    shifts_as_sacrebleu: bool,
    max_shift_size: int,
    max_shift_distance: int,
    max_candidates: int,
    discard_at_limit: bool,
    threads: int,
) -> None: ...
def beam_alignment(
    hypothesis: Sequence[int], reference: Sequence[int], *, beam: int
) -> tuple[int, list[int], list[int]]: ...
def count_gtm(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    exponent: float,
    threads: int,
) -> None: ...
def count_character(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    capped: bool,
    threads: int,
) -> None: ...
def count_eed(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    letter_case: str,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
    substitution: float,
    as_program: bool,
    threads: int,
) -> None: ...
def count_nist(
    hypotheses: Column,
    references: Sequence[Column],
    ngrams: ReferenceNgrams,
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    zero_is_no_word: bool,
    threads: int,
) -> int | None: ...
def count_nist_by_reference(
    hypotheses: Column,
    references: Sequence[Column],
    ngrams: ReferenceNgrams,
    rows: NDArray[np.int64],
    told: NDArray[np.float64],
    *,
    tokenizer: str,
    letter_case: str,
    zero_is_no_word: bool,
    compensated: bool,
    threads: int,
) -> int | None: ...
def count_self_ngrams(
    hypotheses: Column,
    set: ReferenceNgrams,
    rows: NDArray[np.int64],
    *,
    tokenizer: str,
    letter_case: str,
    reference_length: str,
    threads: int,
) -> int | None: ...
def split_tagged(column: Column, separator: str) -> tuple[Column, Column] | tuple[int, str]: ...
def count_weighted_ngrams(
    hypotheses: Column,
    references: Sequence[Column],
    names: Column | None,
    documents: DocumentWords,
    rows: NDArray[np.int64],
    *,
    salience: str,
    threshold: float,
    below: float,
    max_order: int,
    tokenizer: str,
    letter_case: str,
    threads: int,
) -> int | None: ...

class SynonymTable:
    """Which words share a set of synonyms."""

    def __init__(self, exceptions: bytes, synsets: bytes) -> None: ...
    def __len__(self) -> int: ...

class ParaphraseTable:
    """Phrases and their paraphrases."""

    def __init__(self) -> None: ...
    def add(self, text: bytes) -> None: ...
    def finish(self) -> None: ...
    def __len__(self) -> int: ...

class MeteorMatcher:
    """METEOR's words, matches and counts."""

    def __init__(
        self,
        *,
        apostrophes: str | None,
        punctuation: bool,
        prefixes: Sequence[str],
        number_prefixes: Sequence[str],
        letter_case: str,
        stages: Sequence[str],
        function_words: Sequence[str],
        english_stems: bool,
        synonyms: SynonymTable | None,
        paraphrases: ParaphraseTable | None,
        copies_are_free: bool,
        characters: bool,
        beam: int,
    ) -> None: ...
    def count(
        self,
        hypotheses: Column,
        references: Sequence[Column],
        rows: NDArray[np.int64],
        *,
        stems: tuple[Sequence[str], Sequence[str]] | None,
        threads: int,
    ) -> None: ...
    def align(
        self, hypothesis: str, reference: str, *, stems: tuple[Sequence[str], Sequence[str]] | None
    ) -> tuple[list[str], list[str], list[tuple[int, ...]]]: ...
    def words(self, text: str) -> list[str]: ...
    def vocabulary(self, columns: Sequence[Column]) -> list[str]: ...
    def normalized(self, text: str) -> str: ...

def english_stems(words: Sequence[str]) -> list[str]: ...
def porter_stem(word: str) -> str: ...

class BleuFormula:
    def __init__(
        self,
        *,
        max_order: int,
        counted_orders: int,
        smoothing: str,
        smooth_value: float,
        weights: Sequence[float],
        arithmetic_average: bool,
        effective_order: bool,
        empty_order_is_one: bool,
        smooth_without_match: bool,
        brevity_steepness: float,
        length_units: float,
        compensated_sums: bool,
    ) -> None: ...
    # Counts are rows [..., K], and what is said of them is [...], or [..., N] where it is of orders.
    def scores(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...
    def precisions(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...
    def brevity_penalties(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...
    def averages(self, precisions: NDArray[np.float64], counts: NDArray[Any]) -> NDArray[np.float64]: ...
    def combined(self, precisions: NDArray[np.float64], counts: NDArray[Any]) -> NDArray[np.float64]: ...

class ChrfFormula:
    def __init__(
        self, *, orders: int, recall_weight: float, weights: float, mean_of_f_scores: bool
    ) -> None: ...
    def scores(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...
    def precision_and_recall(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...  # [..., 2]
    def f_scores(self, counts: NDArray[Any]) -> NDArray[np.float64]: ...

def edit_rates(edits: NDArray[np.float64], reference_lengths: NDArray[np.float64]) -> NDArray[np.float64]: ...
def log(values: NDArray[np.float64]) -> NDArray[np.float64]: ...
def exp(values: NDArray[np.float64]) -> NDArray[np.float64]: ...
def power(values: NDArray[np.float64], exponent: float) -> NDArray[np.float64]: ...
def name_hashes(names: Column) -> NDArray[np.uint64]: ...
def poisson_weights(
    hashes: NDArray[np.uint64],
    weights: NDArray[np.float32],  # is filled
    *,
    seed: int,
) -> None: ...
def row_products(
    rows: NDArray[np.float32],
    weights: NDArray[np.float32],
    results: NDArray[np.float32],  # is filled
    *,
    any_processor: bool = False,
) -> None: ...
def row_maxima(rows: NDArray[np.float32]) -> NDArray[np.float32]: ...

# A text that is no tree: segment, reference (None: the hypothesis), offset, what is wrong.
BadTree = tuple[int, int | None, int, str] | None

class TreeReading:
    @staticmethod
    def brackets(*, tags: str = "fine", punctuation: bool = True) -> TreeReading: ...
    @staticmethod
    def dependencies(
        *, node: str = "word", letter_case: str = "keep", punctuation: bool = True
    ) -> TreeReading: ...

def count_tree_matches(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    reading: TreeReading,
    part: str,
    max_depth: int,
    threads: int,
) -> BadTree: ...

# The nodes of a hypothesis whose subtree, or the chain that ends there, counts as a match: by depth, from 1.
def matching_tree_nodes(
    hypothesis: str, references: Sequence[str], *, reading: TreeReading, part: str, max_depth: int
) -> list[list[int]] | tuple[int, int | None, int, str]: ...
def count_tree_kernels(
    hypotheses: Column,
    references: Sequence[Column],
    rows: NDArray[np.int64],
    *,
    reading: TreeReading,
    decay: float,
    single_nodes: bool,
    threads: int,
) -> BadTree: ...
def tree_kernel(
    first: str, second: str, *, reading: TreeReading, decay: float = 1.0, single_nodes: bool = False
) -> tuple[float, int]: ...

# Label, word and parent of every node; or the offset of what is wrong, and what.
def tree_nodes(text: str, reading: TreeReading) -> list[tuple[str, str | None, int]] | tuple[int, str]: ...

# Where the word of every node stands in the text (-1: a node without a word), or the same.
def tree_word_places(text: str, reading: TreeReading) -> list[int] | tuple[int, str]: ...
def ngram_features(
    hypotheses: Column,
    references: Sequence[Column],
    shares: NDArray[np.float64],
    *,
    tokenizer: str,
    letter_case: str,
    max_order: int,
    threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]: ...
def ngram_feature_names(
    hypotheses: Column,
    references: Sequence[Column],
    ids: NDArray[np.uint64],
    *,
    tokenizer: str,
    letter_case: str,
    max_order: int,
) -> dict[int, tuple[int, int, str]]: ...
def tree_features(
    hypotheses: Column,
    references: Sequence[Column],
    shares: NDArray[np.float64],
    *,
    reading: TreeReading,
    part: str,
    max_depth: int,
    threads: int,
) -> tuple[BadTree, tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]]: ...
def tree_feature_names(
    hypotheses: Column,
    references: Sequence[Column],
    ids: NDArray[np.uint64],
    *,
    reading: TreeReading,
    part: str,
    max_depth: int,
) -> dict[int, tuple[int, int, str]]: ...
def check_trees(column: Column, reading: TreeReading) -> BadTree: ...
def text_of_trees(column: Column, reading: TreeReading) -> Column: ...
def is_punctuation_tag(tag: str) -> bool: ...
def coarse_tag(tag: str) -> str: ...  # empty for a tag that is not of the Penn Treebank

# --- agreement: scores [groups, members], weights [samples, members], see core/agreement/rank_agreement.h ------

ORDER_COLUMNS: int

def count_orders(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    weights: NDArray[np.uint32] | None,
    rows: NDArray[np.int64],
    *,
    threads: int,
) -> None: ...
def multiply_ranks(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    weights: NDArray[np.uint32] | None,
    sums: NDArray[np.float64],
    *,
    threads: int,
) -> None: ...

class TiePairs:
    def __init__(self, human: NDArray[np.float64], metric: NDArray[np.float64], *, threads: int) -> None: ...
    def calibrate(
        self,
        outer: NDArray[np.float64] | None,
        inner: NDArray[np.float64] | None,
        rows: NDArray[np.float64],
        *,
        threads: int,
    ) -> None: ...

def bleu_pairs(
    candidates: Column,
    references: Column | None,
    candidate_starts: NDArray[np.int64],
    reference_starts: NDArray[np.int64],
    scores: NDArray[np.float64],
    *,
    formula: BleuFormula,
    tokenizer: str,
    letter_case: str,
    max_order: int,
    length_units: float,
    at_least_one: int,
    threads: int,
) -> None: ...
def bleu_groups(
    candidates: Column,
    references: Column | None,
    candidate_starts: NDArray[np.int64],
    reference_starts: NDArray[np.int64],
    groups: NDArray[np.int64],
    group_counts: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    scores: NDArray[np.float64],
    *,
    formula: BleuFormula,
    tokenizer: str,
    letter_case: str,
    max_order: int,
    length_units: float,
    at_least_one: int,
    threads: int,
) -> None: ...
def chrf_pairs(
    candidates: Column,
    references: Column | None,
    candidate_starts: NDArray[np.int64],
    reference_starts: NDArray[np.int64],
    scores: NDArray[np.float64],
    *,
    formula: ChrfFormula,
    letter_case: str,
    whitespace: bool,
    char_order: int,
    word_order: int,
    threads: int,
) -> None: ...
def chrf_groups(
    candidates: Column,
    references: Column | None,
    candidate_starts: NDArray[np.int64],
    reference_starts: NDArray[np.int64],
    groups: NDArray[np.int64],
    group_counts: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    scores: NDArray[np.float64],
    *,
    formula: ChrfFormula,
    letter_case: str,
    whitespace: bool,
    char_order: int,
    word_order: int,
    threads: int,
) -> None: ...
def mean_utilities(
    candidate_starts: NDArray[np.int64],
    reference_starts: NDArray[np.int64],
    scores: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    means: NDArray[np.float64],
) -> None: ...

# --- tuning: features [names, candidates], offsets [segments + 1], see core/tuning/upper_envelope.h ------------

# Steps and candidates of the envelopes of all segments; each envelope begins with a step of minus infinity.
def upper_envelopes(
    features: NDArray[np.float64],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    direction: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
def best_candidates(
    features: NDArray[np.float64],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> None: ...
