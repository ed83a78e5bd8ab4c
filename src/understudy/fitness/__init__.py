"""Suitability of metrics for a comparison: rules from the papers, checked without and with human scores."""
