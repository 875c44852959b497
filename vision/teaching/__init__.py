"""Teaching decks."""
