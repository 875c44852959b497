"""Senses and voices, as tests."""
