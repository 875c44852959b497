"""What the senses make of edges."""
