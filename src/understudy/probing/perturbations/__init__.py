"""Graded errors and harmless changes, and the response of every metric to them."""
