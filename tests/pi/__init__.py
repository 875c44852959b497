"""A Pi in a box."""
