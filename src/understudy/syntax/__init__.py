"""Syntax trees: their types, head rules, and parsers."""
