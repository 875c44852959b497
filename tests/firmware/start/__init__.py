"""Tests of whole tables: start, kill, stop, attack."""
