"""What the companion hands in, typed."""
