"""Significance of differences between systems: the verb `compare`, and `explain` for two specs of one metric."""
