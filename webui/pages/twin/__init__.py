"""The simulated table, and its first start."""
