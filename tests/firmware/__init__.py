"""What runs on the table's computer, as tests."""
