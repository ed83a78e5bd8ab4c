"""`python -m understudy` is the command `understudy`. spark-submit runs this file by its path."""

import os
import sys

if (
    not __package__
    and sys.path
    and os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__))
):
    del sys.path[
        0
    ]  # a file that is run by its path puts its folder here, and ours has names of other modules

from understudy.cli import main

if __name__ == "__main__":
    main()
