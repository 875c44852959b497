"""Renders the view of a camera over a simulated table."""
