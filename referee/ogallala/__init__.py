"""Ogallala: so far its deck."""
