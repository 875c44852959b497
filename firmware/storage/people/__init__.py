"""The people of the evening, and their file."""
