"""Doors: what pages and terminals may ask of the table."""
