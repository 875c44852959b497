"""Backups: a table's whole state as one file, and restoring it."""
