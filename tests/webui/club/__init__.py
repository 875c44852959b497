"""The pages of the club, as tests."""
