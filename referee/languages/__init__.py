"""Catalogues: one text file a language."""
