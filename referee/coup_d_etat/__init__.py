"""Coup d'État: so far its deck."""
