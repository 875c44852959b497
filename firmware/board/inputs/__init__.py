"""Inputs of the board: from edges on a wire to answers."""
