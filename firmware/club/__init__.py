"""The hub of a club: what many tables have said, kept in PostgreSQL."""
