"""Shared by comparing and trusting: evidence, samples, confidence intervals, significance tests, multiple testing."""
