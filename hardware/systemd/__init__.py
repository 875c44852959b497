"""Units of systemd, as templates."""
