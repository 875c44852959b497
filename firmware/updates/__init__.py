"""Updates: versions side by side, a link to the current one, and a rollback."""
