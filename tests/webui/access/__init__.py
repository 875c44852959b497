"""Who gets in, as tests."""
