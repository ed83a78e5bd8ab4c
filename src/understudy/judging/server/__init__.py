"""The page of a campaign: an HTTP server for judges and the lead."""
