"""Does the metric agree with the people? Coefficients, their intervals, and tests, over human and metric scores."""
