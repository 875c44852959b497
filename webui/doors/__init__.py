"""What the companion gives the pages, as protocols and plain values."""
