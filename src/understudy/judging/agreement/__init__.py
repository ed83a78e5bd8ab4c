"""Agreement between judges, and of judges with themselves."""
