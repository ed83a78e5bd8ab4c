"""Every acknowledgement follows an fsync: the system calls of a server, seen by strace."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from material.optional import missing
from material.small_campaign import answers_to, rows_and_tokens, small_design

SERVE = (
    "import os, sys; from understudy import Campaign; "
    "Campaign.open(sys.argv[1]).serve(port=0, ready=lambda at: print(at, os.getpid(), flush=True))"
)
SYNCED = re.compile(r"(?:fsync|fdatasync)(?:\(| resumed).*= 0$")
ACKNOWLEDGED = re.compile(r"(?:sendto|send|sendmsg|write|writev)\(.*stored[\\\":\[ ]+(key-\d+)")


@pytest.mark.skipif(sys.platform != "linux", reason="this platform has no strace")
def test_every_acknowledgement_follows_an_fsync(tmp_path):
    """PostgreSQL does this in processes of its own: see test_every_commit_of_postgresql_is_synchronous."""
    if lack := missing("sqlalchemy", "starlette", "uvicorn", "httpx"):
        pytest.skip(lack)
    if (
        shutil.which("strace") is None
        or subprocess.run(["strace", "-o", "/dev/null", "true"], check=False).returncode
    ):
        pytest.skip("there is no strace that works on this platform: apt-get install strace")
    import httpx

    from understudy.judging.campaigns.store import Store

    rows, tokens = rows_and_tokens(small_design("da", judges=1, tasks=20))
    Store.create(str(tmp_path / "c"), rows).close()
    trace = ["strace", "-f", "-qq", "-s", "2000", "-o", str(tmp_path / "calls")]
    calls = "trace=fsync,fdatasync,sendto,sendmsg,write,writev"
    command = [*trace, "-e", calls, sys.executable, "-c", SERVE, str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address, process = server.stdout.readline().split()
        with httpx.Client(base_url=address, timeout=60, trust_env=False) as browser:
            browser.post("/api/enter", json={"token": tokens["judge-1"]})
            task, number = browser.get("/api/task").json(), 0
            while task:
                number += 1
                reply = browser.post(
                    "/api/answers", json={"answers": [answers_to(task, f"key-{number:05}")]}
                ).json()
                task = reply["next"]
        os.kill(int(process), signal.SIGTERM)  # strace itself would let the server go on
    order = []
    for line in (tmp_path / "calls").read_text(errors="replace").splitlines():
        if SYNCED.search(line):
            order.append("synced")
        elif found := ACKNOWLEDGED.search(line):
            order.append(found[1])
    acknowledged = [index for index, what in enumerate(order) if what != "synced"]
    assert len(acknowledged) == 20
    assert all(order[index - 1] == "synced" for index in acknowledged)
