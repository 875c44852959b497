"""A simulated Pi for hardware tests."""
