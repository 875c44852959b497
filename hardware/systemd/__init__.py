"""Templates of systemd units."""
