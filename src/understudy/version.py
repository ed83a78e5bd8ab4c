"""The version, in the one place the build and the signatures both read it from."""

__version__ = "0.1.0"
