"""Tests of the case."""
