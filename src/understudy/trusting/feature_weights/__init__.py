"""Learned weights of n-grams, headword chains and subtrees, fitted to human scores."""
