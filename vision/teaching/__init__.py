"""Teaching decks: from photographs, or at the table."""
