"""Other texts that a metric scores no lower than the hypothesis, each verified by scoring."""
