"""Tests of the pages' content."""
