"""Judgments collected elsewhere, read and written."""
