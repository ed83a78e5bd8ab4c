"""Scores of systems: the verb `score` for files of any length, and counts kept for the other verbs."""
