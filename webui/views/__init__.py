"""What pages show, as pure functions and values."""
