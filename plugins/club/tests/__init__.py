"""The hub of a club, as tests: real brokers and a real PostgreSQL."""
