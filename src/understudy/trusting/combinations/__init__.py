"""Combinations of metrics whose weights are learned from what people say."""
