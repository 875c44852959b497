"""The cards: artwork drawn by code, and the files that a printer wants."""
