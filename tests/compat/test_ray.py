"""Ray Data: segment scores and sums of batches, on Ray's own workers."""

from __future__ import annotations

import pytest

from material.example_rows import METRICS, ROWS, by_system, expected_scores, segments
from material.optional import ImportedWhenUsed, needs_packages
from understudy.compat import ray as of_ray

ray = ImportedWhenUsed("ray")
ray_data = ImportedWhenUsed("ray.data")

pytestmark = [needs_packages("ray"), pytest.mark.xdist_group("ray"), pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def dataset():
    import pyarrow as pa

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray_data.DataContext.get_current().enable_progress_bars = False
    yield ray_data.from_arrow(pa.table(ROWS)).repartition(7)
    ray.shutdown()


def test_segments_and_scores(dataset):
    add_scores = of_ray.SegmentScores(METRICS, "hyp", ["ref1", "ref2"])
    found = dataset.map_batches(add_scores, batch_format="pyarrow").to_pandas()
    texts = zip(ROWS["system"], ROWS["hyp"], ROWS["ref1"], strict=True)
    expected = dict(zip(texts, zip(*map(segments, METRICS), strict=True), strict=True))
    assert len(found) == len(ROWS["hyp"])
    for row in found.to_dict("records"):
        assert tuple(row[spec] for spec in METRICS) == expected[row["system"], row["hyp"], row["ref1"]]
    rows = of_ray.score(dataset, "hyp", ["ref1", "ref2"], metrics=METRICS, by="system")
    assert by_system(rows) == expected_scores()
    with pytest.raises(Exception, match="unknown column 'hip'"):
        of_ray.score(dataset, "hip", ["ref1", "ref2"])
