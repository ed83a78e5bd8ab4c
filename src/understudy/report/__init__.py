"""Renderings of results, for people and for programs. All are pure functions that give text.

A result becomes a `Grid`, the rows and columns a person would want to see; `terminal`, `markdown` and `latex`
write any grid. JSON and TSV hold full precision and are written from the result itself.
"""
