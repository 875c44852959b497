"""Senses at the board: from edges on a wire to answers."""
