"""What the host opens."""
