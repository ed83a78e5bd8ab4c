"""Stability of the ranking with fewer references, single references and other parsers."""
