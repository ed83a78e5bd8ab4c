"""Parallel segments: read from files or taken from memory, and checked once."""
