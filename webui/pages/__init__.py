"""The pages: a module each."""
