"""Segments that belong together: read from files or taken from memory, checked once."""
