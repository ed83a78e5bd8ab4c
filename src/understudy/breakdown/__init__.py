"""Where do systems differ? By bucket, label, word, n-gram and segment."""
