"""Pure functions and values that pages render."""
