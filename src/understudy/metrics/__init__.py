"""The metrics, one file each. `base` has what they share."""
