"""A campaign in a browser's reach: served by uvicorn in a thread, stopped and started again at the same address."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from material.small_campaign import rows_and_tokens
from understudy.corpus.error_spans import MarkedSpan
from understudy.judging.campaigns.campaign_plan import CampaignPlan, PlannedJudge
from understudy.judging.campaigns.design import CampaignDesign, PlannedOutput, PlannedSegment, PlannedTask
from understudy.judging.campaigns.store import Store
from understudy.judging.protocols.reading import protocol_of_text, protocol_text

SOURCE = "Der Zug fährt nicht vor acht Uhr ab."
REFERENCE = "The train only leaves at eight or later."
# The first has characters outside of Unicode's first plane before most of its words.
OUTPUTS = (
    "🚂 The train leaves before eight o'clock.",
    "The train does not leave before eight.",
    "Train the before eight clock leaves not.",
    "No train will leave before eight.",
    "The train departs at 8.",
)
ENGLISH = {"source_language": "de", "target_language": "en"}


@dataclass
class Site:
    """A served campaign."""

    store: Store
    tokens: dict[str, str]
    port: int = 0
    running: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def link(self, name: str, query: str = "") -> str:
        return f"{self.url}/{query}#{self.tokens[name]}"

    def start(self) -> None:
        from understudy.judging.server.serving import bound_socket, make_server

        server, socket = make_server(self.store), bound_socket("127.0.0.1", self.port)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        self.port = socket.getsockname()[1]
        self.running = [server, thread, socket]

    def stop(self) -> None:
        if not self.running:
            return
        server, thread, socket = self.running
        server.should_exit = True
        thread.join()
        socket.close()
        self.running = []

    def answers(self, judge: str = "judge-1", step: str | None = None) -> list[dict[str, Any]]:
        """The final answers of a judge, in the order in which they arrived."""
        known = self.store.tables
        with self.store.reading() as connection:
            ids = {row.name: row.id for row in connection.execute(known.judges.select())}
            rows = connection.execute(known.answers.select().order_by(known.answers.c.id)).all()
        return [
            {"task": row.task, "step": row.step, **row.payload}
            for row in rows
            if row.judge == ids[judge] and row.payload.get("final", True) and step in (None, row.step)
        ]


def site_of(design: CampaignDesign, folder: Path) -> Site:
    """The campaign as a file in the folder, served."""
    rows, tokens = rows_and_tokens(design)
    site = Site(Store.create(str(folder / f"campaign-{len(list(folder.iterdir()))}.sqlite"), rows), tokens)
    site.start()
    return site


def judged_design(
    name: str,
    tasks: int = 3,
    *,
    outputs: tuple[str, ...] = OUTPUTS,
    source: str = SOURCE,
    prefilled: tuple[MarkedSpan, ...] = (),
    by: str = "characters",
    practice: bool = False,
    **plan: Any,
) -> CampaignDesign:
    """The same tasks for two judges; the outputs are the same in all of them, in turns. A practice item comes first."""
    chosen = protocol_of_text(protocol_text(name).replace('by = "characters"', f'by = "{by}"'), name)
    group = next(reversed(list(chosen.groups)), None)
    shown = min(chosen.outputs.default, len(outputs))
    numbers = range(tasks)
    planned = [
        PlannedOutput(
            number, outputs[(number + place) % len(outputs)], (f"system-{place}",), prefilled=prefilled
        )
        for number in numbers
        for place in range(shown)
    ]
    segments = [PlannedSegment(number + 1, source, REFERENCE) for number in numbers]
    screens = [
        PlannedTask(number + 1, number, tuple(range(number * shown, (number + 1) * shown)))
        for number in numbers
    ]
    order = [task.id for task in screens]
    if practice:
        item, first = chosen.practice[0], len(planned)
        segments.append(PlannedSegment(None, item.sources.get("de"), item.reference))
        planned += [PlannedOutput(tasks, text, ()) for text in item.outputs]
        screens.append(
            PlannedTask(tasks + 1, tasks, tuple(range(first, len(planned))), role="practice", practice=0)
        )
        order = [tasks + 1, *order]
    people = (PlannedJudge("judge-1", group), PlannedJudge("judge-2", group))
    return CampaignDesign(
        protocol=chosen,
        plan=CampaignPlan(judges=people, practice=practice, **{**ENGLISH, **plan}),
        systems=tuple(f"system-{place}" for place in range(shown)),
        segments=tuple(segments),
        outputs=tuple(planned),
        tasks=tuple(screens),
        blocks=tuple((number + 1,) for number in numbers),
        assignments={judge.name: tuple(order) for judge in people},
    )
