"""A Pi on the bench, without a Pi."""
