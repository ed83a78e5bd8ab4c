"""Does the metric agree with the people? The verb `trust`."""
