"""Text processing: tokenizers and letter case."""
