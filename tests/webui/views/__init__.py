"""What pages show, as tests."""
