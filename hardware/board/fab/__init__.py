"""The fabricated board: parts, positions, copper and production files."""
