"""Backups, and files that are none."""
