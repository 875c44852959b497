"""Putting a table together, and keeping it alive: the room that knows all others."""
