"""Scores, segment scores and comparisons of Spark data frames: the digits of `understudy.score`, on a cluster.

import understudy.spark

understudy.spark.score(df, "hyp", ["ref"], ["bleu", "chrf"], by=["system", "domain"])
"""

from understudy.spark.comparison import compare as compare
from understudy.spark.scores import SparkScores as SparkScores
from understudy.spark.scores import score as score
from understudy.spark.segments import segments as segments
