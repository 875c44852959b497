"""Tests of Coup: the rule book's example, all special cases, and lockstep with another engine."""
