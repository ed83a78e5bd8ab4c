"""Significance tests between metrics, and significance clusters."""
