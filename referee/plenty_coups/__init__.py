"""Plenty Coups: so far its deck."""
