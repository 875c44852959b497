"""Simulated table and its first start."""
