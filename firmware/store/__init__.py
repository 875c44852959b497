"""How the journal lies on the disk: sealed lines, durable commits, and mending."""
