"""What is kept: journal, settings, the table that was found, history and backups."""
