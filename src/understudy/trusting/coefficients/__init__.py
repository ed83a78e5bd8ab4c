"""Coefficients of agreement between human and metric scores."""
