"""The threads that share the work: the system may refuse them."""

from __future__ import annotations

import subprocess
import sys

import pytest

GIB = 2**30

# A thread's stack has the size that the limit had when the process began: a GiB of addresses, see below. Python's
# threads, which are refused too, tell how many still fit.
IN_LITTLE_ROOM = """
import resource, sys, threading
import numpy as np
from understudy import _core

hypotheses = _core.Column.from_strings(["a", "b"] * 5000)
references = [_core.Column.from_strings(["a"] * 10000)]
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
room = used + int(sys.argv[1]) * 2**30 + 2**29
resource.setrlimit(resource.RLIMIT_AS, (room, room))

release = threading.Event()
started = []
try:
    while len(started) < 4:
        started.append(threading.Thread(target=release.wait))
        started[-1].start()
except RuntimeError:
    started.pop()
release.set()
for thread in started:
    thread.join()

rows = np.full((10000, 1), -1, np.int64)
_core.count_exact(hypotheses, references, rows, tokenizer=None, letter_case="keep", threads=8)
print(len(started), rows[::2].sum(), rows[1::2].sum())
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="this platform does not limit addresses, by which threads are refused"
)
@pytest.mark.parametrize("fitting", [0, 1])
def test_work_is_done_by_the_threads_that_there_are(fitting: int) -> None:
    import resource

    def large_stacks() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (GIB, resource.getrlimit(resource.RLIMIT_STACK)[1]))

    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if most != resource.RLIM_INFINITY and most < GIB:
        pytest.skip("this platform allows no stacks of a GiB")
    command = [sys.executable, "-c", IN_LITTLE_ROOM, str(fitting)]
    done = subprocess.run(command, preexec_fn=large_stacks, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{fitting} 5000 0\n", "")
