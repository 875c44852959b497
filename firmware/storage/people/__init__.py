"""The people of the evening, and the file that keeps them."""
