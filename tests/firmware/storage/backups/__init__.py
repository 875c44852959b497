"""Tests of backups, also of invalid ones."""
