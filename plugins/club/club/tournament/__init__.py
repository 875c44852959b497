"""Tournaments: who sits where, how long, and who stands where; pure functions over frozen values."""
