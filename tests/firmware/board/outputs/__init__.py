"""Tests of the board's outputs."""
