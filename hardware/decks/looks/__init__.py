"""The looks of our games: a file for each."""
