"""Web pages, one module each."""
