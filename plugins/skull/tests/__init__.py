"""Tests of Skull."""
