"""The rules of each game, as tests."""
