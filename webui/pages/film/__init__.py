"""Pages of past matches, and of what-ifs from them."""
