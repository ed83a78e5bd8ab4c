"""Campaigns: which items are judged, by whom and in which order; storage of the answers."""
