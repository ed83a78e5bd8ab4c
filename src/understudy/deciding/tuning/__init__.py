"""Tuning: weights of a log-linear model that optimize a metric."""
