"""The club put together: the command, database, broker, hub and pages."""
