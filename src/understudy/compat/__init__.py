"""Interfaces of other programs on understudy's metrics: change the import, and the digits stay the same."""
