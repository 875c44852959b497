"""Persistent storage: journal, settings, the calibrated table, history and backups."""
