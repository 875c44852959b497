"""The artwork: a module for each deck, and shared modules."""
