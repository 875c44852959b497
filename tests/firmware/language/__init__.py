"""Language and clock, as tests."""
