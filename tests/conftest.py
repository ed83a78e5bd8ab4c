"""How Hypothesis makes its examples: alike at every run, so that a failure is the change's. `make fuzz` draws anew."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None)
settings.register_profile("searching", print_blob=True)
settings.load_profile("repeatable")

collect_ignore_glob = ["**/conftest.py", "conftest.py"]  # they have no examples to run
