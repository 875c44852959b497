"""Photographs of cards, drawn with true optics and with their truth, of the kinds that are hardest to read."""
