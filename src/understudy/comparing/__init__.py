"""Is the difference real? The verb `compare`, and `explain` for two specs of one metric."""
