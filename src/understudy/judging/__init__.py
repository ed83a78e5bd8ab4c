"""Human judgments: collected on a page, or imported, and what they say about systems and about judges."""
