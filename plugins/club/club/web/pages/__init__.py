"""The club's pages, one module each."""
