"""Renderings of results, for readers and for programs. All are pure functions that return text.

A result becomes a `Grid`, the rows and columns that a reader sees; `terminal`, `markdown` and `latex` write any grid.
JSON and TSV have full precision and are written from the result itself.
"""
