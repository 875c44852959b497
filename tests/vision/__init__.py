"""Tests of the eyes."""
