"""Tests of language and clock."""
