"""The lead's page."""

from __future__ import annotations

import pytest

from material.small_campaign import answers_to


def test_progress_and_results_as_they_stand(serve):
    served = serve("da", judges=2, tasks=12, outputs=1)
    for name in ("judge-1", "judge-2"):
        browser = served.browser(name)
        for position in range(1, 9):
            task = browser.get(f"/api/task?position={position}").json()
            answer = answers_to(task, f"key-{position:05}")
            answer["payload"]["values"]["o1"] = 10 * position
            browser.post("/api/answers", json={"answers": [answer]})
    page = served.browser("lead").get("/api/lead").json()
    assert [(judge["name"], judge["done"], judge["total"]) for judge in page["judges"]] == [
        ("judge-1", 8, 12),
        ("judge-2", 8, 12),
    ]
    assert page["progress"] == {"done": 16, "total": 24, "seconds_left": None}
    (system,) = page["ranking"]
    assert (system["system"], system["value"], system["judgments"]) == ("hidden-system-1", 45.0, 16)
    assert [(row["name"], row["value"]) for row in page["agreement"]][:1] == [
        ("Krippendorff’s α, score", 1.0)
    ]
    assert page["storage"] is None


@pytest.mark.parametrize("protocol", ["da", "ranking", "mqm"])
def test_a_campaign_without_answers_has_a_lead_page(serve, protocol):
    served = serve(protocol, outputs=1 if protocol != "ranking" else 3)
    assert served.browser("lead").get("/api/lead").json()["progress"]["done"] == 0
