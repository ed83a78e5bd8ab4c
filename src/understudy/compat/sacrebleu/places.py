"""Where sacreBLEU stores test sets and models: the environment variable SACREBLEU, as it is when sacreBLEU would be
imported, else a folder in the home directory.
"""

from __future__ import annotations

import os

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))
