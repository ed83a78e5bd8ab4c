"""Agreement of metrics with human scores: the verb `trust`."""
