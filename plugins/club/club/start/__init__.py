"""Start of the club: the command, database, broker, hub and pages."""
