"""Whole matches on the twin."""
