"""Evaluation protocols: one file of data each, and what reads and checks them."""
