"""Reading cards, as tests."""
