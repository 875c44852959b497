"""Tournaments: seating, clocks and standings; pure functions over frozen values."""
