"""What takes minutes or hours: run by hand, or by night."""
