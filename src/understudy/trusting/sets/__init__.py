"""The verb `trust` on several test sets: one table with an average."""
