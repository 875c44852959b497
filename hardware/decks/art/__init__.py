"""The artwork: a module for each deck."""
