"""What the voices tell of a moment."""
