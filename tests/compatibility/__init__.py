"""What an earlier version has kept is still read as it was meant."""
