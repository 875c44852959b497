"""Tests of Coup d'État: rules, scores, money, and matches with known hands."""
