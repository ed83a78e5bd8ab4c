"""Learned combinations of metrics, fitted to human scores."""
