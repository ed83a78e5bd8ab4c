"""How good is each system? The verb `score`, from files of any length, and what it counts kept for the others."""
