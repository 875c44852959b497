"""Coup: so far its deck."""
