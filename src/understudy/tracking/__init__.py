"""Tracks: the scores of runs over time, with paired tests between runs and a check for pipelines."""
