"""The wheel, as tests."""
