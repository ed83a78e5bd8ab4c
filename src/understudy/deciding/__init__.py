"""Choosing among candidate translations with a metric."""
