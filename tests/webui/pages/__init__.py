"""The pages, as tests."""
