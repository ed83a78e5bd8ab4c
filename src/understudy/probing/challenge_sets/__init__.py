"""Challenge sets: good and incorrect translations, compared by every metric."""
