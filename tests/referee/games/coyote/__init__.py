"""Coyote, read a second time: each sentence of the rules as a test."""
