"""The verb `trust` over several test sets: one table, one average."""
