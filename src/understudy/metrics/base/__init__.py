"""What the metrics share: Metric, Statistics, Score, parameters, registry, word and tree metrics."""
