"""What is known of words: stems, synonyms, paraphrases, function words; and where a machine has it."""
