"""The cards: artwork drawn by code, and files for the printer."""
