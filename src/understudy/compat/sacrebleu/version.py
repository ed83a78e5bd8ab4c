"""The version of sacreBLEU that is reproduced, under the names that its `version` has."""

from __future__ import annotations

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
__commit_id__ = commit_id = None  # as in the distribution of sacreBLEU
