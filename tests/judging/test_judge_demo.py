"""`make judge-demo`: invented answers, stored through the page's own interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from material.optional import needs_packages

DEMO = Path(__file__).parents[2] / "tools" / "judge_demo.py"


@needs_packages("sqlalchemy", "starlette", "uvicorn", "jinja2")
def test_the_demo_has_finished_and_unfinished_judges(tmp_path):
    from understudy import Campaign, judge

    place = str(tmp_path / "demo.campaign")
    subprocess.run([sys.executable, DEMO, place, "--no-serve"], check=True)
    with Campaign.open(place) as campaign:
        done = {row.name: row.done for row in campaign.status().judges}
        failed = [row.judge for row in judge(campaign).controls or () if row.verdict == "failed"]
    assert done == {"ada": 62, "ben": 62, "cleo": 31, "dan": 49, "you": 0}
    assert failed == ["dan"]
