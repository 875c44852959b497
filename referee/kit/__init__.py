"""Building blocks shared by games."""
