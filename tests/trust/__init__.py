"""Durability, security and availability trials: scripts that print figures, and fail outside their limits."""
