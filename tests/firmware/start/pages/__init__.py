"""Tests of what the pages are handed."""
