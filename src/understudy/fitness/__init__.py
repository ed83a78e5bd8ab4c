"""What is a metric fit for? Rules from the papers, checked without and with human judgments."""
