"""What judgments say about systems, about judges and about items."""
