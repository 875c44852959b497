"""The case."""
