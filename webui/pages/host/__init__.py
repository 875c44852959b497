"""Pages for the host."""
