"""Outputs of the board: from the moment to lamps, digits, tunes and sentences."""
