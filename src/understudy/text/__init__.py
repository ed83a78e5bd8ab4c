"""Text before it is counted: tokenizers and letter case."""
