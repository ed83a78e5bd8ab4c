"""Blocks between bigram mismatches, and the number of their permutations."""
