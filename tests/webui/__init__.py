"""What phones see, as tests."""
