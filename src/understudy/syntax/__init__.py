"""Trees of sentences: their types, head rules, and the parsers that give them."""
