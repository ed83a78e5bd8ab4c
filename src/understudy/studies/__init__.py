"""What would change the ranking? Fewer references, single references, other parsers."""
