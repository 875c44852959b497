"""What other programs are told, as tests."""
