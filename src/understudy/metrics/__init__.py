"""The metrics, one file each; `base` has the shared machinery, `scoring` the verb `score`."""
