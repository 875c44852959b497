"""The artwork: a module for each deck, and what they share."""
