"""Is the difference real? Tests, intervals and breakdowns over the statistics that metrics have counted."""
