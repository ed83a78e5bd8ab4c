"""Prompts, one TOML file each."""
