"""What pages show: pure."""
