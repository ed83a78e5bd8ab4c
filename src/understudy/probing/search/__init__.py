"""Hill climbing over edits: what optimizing a metric would find."""
