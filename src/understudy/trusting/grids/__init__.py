"""Grids of settings: every combination of a metric's parameters, compared with human scores by cross-validation."""
