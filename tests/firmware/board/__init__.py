"""Tests of the board's inputs and outputs."""
