"""Tests of the building blocks for games."""
