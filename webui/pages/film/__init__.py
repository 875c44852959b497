"""Pages of past matches."""
