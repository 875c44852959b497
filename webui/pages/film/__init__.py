"""Matches that were played, and those that could have been."""
