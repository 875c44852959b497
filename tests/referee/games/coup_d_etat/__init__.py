"""Coup d'État: its rules, its count, its money, and play whose truth is known."""
