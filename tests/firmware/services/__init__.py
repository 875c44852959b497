"""What pages may ask of the table, as tests."""
