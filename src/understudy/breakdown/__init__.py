"""Where systems differ: by bucket, label, word, n-gram and segment."""
