"""Tests of the printed cards."""
