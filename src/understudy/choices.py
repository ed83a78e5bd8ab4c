"""Choices and defaults shared by the library and the command line.

The command line shows them in its help texts. Nothing is imported here, so that `--help` does not load numpy.
"""

from __future__ import annotations

SEED = 12345  # of all resampling, unless another is given
SIGNIFICANCE = 0.05
CONFIDENCE = 0.95
MOST_DIGITS = 15  # decimal places in tables

SCORE_LEVELS = ("corpus", "segment", "mean")
NULLS = ("error", "empty", "drop")  # translations that are null, on Spark
TABLE_FORMATS = ("parquet", "orc", "json", "csv")  # that Spark reads and writes
INTERVAL_METHODS = ("percentile", "bca")

COMPARE_TESTS = ("bootstrap", "randomization", "multeval", "blocks", "permutation", "ttest", "wilcoxon")
RESAMPLING_TESTS = ("bootstrap", "randomization", "multeval", "permutation")
CORRECTIONS = ("holm", "bh", "none")
EVERY_METRIC = "all"  # for a check in a pipeline
NGRAMS = 100  # compared in the report
TOP = 10  # n-grams and segments shown by a breakdown
REFERENCE_DRAWS = 20  # random choices of references for each number of them
DIFFERING_SEGMENTS = 3  # shown by `explain`

AGREEMENT_LEVELS = ("system", "segment")
METRIC_TESTS = ("perm-both", "perm-inputs", "perm-systems", "perm-pairs", "bootstrap", "williams")
CLUSTER_RULES = ("strict", "wmt")
RESAMPLED = ("segments", "systems", "both")  # for confidence intervals of coefficients
SEVERITY_CREDIT = 0.5  # for a character in the right place with the wrong severity (WMT23, WMT25)
JUDGMENT_KINDS = ("ratings", "rankings", "spans", "marked-text", "appraise")  # files of judgments
EXPORT_LAYOUTS = ("ratings", "spans", "rankings", "answers", "mt-metrics-eval")
LABEL_METHODS = ("svm", "logistic")  # learn from human/machine labels
LEARNING_METHODS = ("ridge", "lasso", *LABEL_METHODS)
FEATURES = ("ngrams", "chains", "subtrees")  # that can have learned weights
FEATURE_BITS = 28  # features are hashed into 2^28 buckets; only those that occur take memory
FEATURE_DOCUMENTS = 3  # in which a bucket must occur

PROBES = ("permutations", "variants", "perturbations", "search")
PROBE_LEVELS = ("segment", "corpus")
VARIANTS = 10  # of every segment and construction
PROBE_STRENGTHS = (0.1, 0.25, 0.5, 1.0)  # of graded perturbations
PROBE_SECONDS = 15.0  # for all searches together; with fast metrics, they end earlier
PROBED_SEGMENTS = 3  # that are searched

NBEST_FORMATS = ("moses", "tsv", "jsonl", "jsonl-segments", "text")
DECIDE_METHODS = ("mbr", "aggregated", "pruned", "centroid", "qe", "oracle", "rerank")
DECIDE_METRICS = ("chrf",)
DECISION_FORMATS = ("text", "tsv", "nbest", "jsonl", "json")
POSTERIORS = ("uniform", "score", "weight")  # of pseudo-references
ORACLE_LEVELS = ("segment", "corpus")
GAPS = ("error", "empty")  # what a segment without candidates is
PRUNING_ALPHA = 0.99  # as in Cheng & Vlachos 2023
BOOTSTRAP_SAMPLES = 500  # the same
REFERENCE_CLUSTERS = 8

TUNING_METHODS = ("mert", "pro")
TUNE_LEVELS = ("corpus", "mean")
RESTARTS = 20  # random starts of MERT
MOST_RESTARTS = 100_000
PRO_RESTARTS = 4  # further samples of pairs of PRO
RANDOM_DIRECTIONS = 8  # searched in each sweep, after the features
HELD_OUT = 0.2  # share of segments
TUNING_SAMPLES = 10_000  # resamples of the held-out segments

TRACK_FILE = "understudy-track.sqlite"  # of the project in the current folder
