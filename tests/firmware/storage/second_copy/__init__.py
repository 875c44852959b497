"""Second copies on sticks."""
