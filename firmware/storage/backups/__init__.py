"""Backups: all that a table keeps as one file, and that file put in place of what is here."""
