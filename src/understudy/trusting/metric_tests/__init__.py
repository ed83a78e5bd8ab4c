"""Is one metric better than another? Significance tests between metrics, and clusters."""
