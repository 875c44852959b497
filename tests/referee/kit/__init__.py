"""The referee: games, matches and records."""
