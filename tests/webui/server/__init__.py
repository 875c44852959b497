"""The server, as tests."""
