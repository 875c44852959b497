"""Teaching decks, as tests."""
