"""What comparing and trusting share: evidence, samples, intervals, significance tests, multiple testing."""
