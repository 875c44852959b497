"""The commands, as tests."""
