"""Choosing, tuning and rewarding with a metric."""
