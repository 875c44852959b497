"""Pages for players and spectators."""
