"""Tests of the referee: games, matches and records."""
