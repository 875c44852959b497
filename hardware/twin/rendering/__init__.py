"""Render what the camera over a simulated table sees."""
