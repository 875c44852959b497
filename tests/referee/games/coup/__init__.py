"""Coup: the example of the rule text, every fine point, and another engine in lockstep."""
