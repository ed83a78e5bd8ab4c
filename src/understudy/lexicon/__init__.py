"""Lexical resources: stems, synonyms, paraphrases, function words, and where to find them on this machine."""
