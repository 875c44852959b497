"""A second copy of what a table keeps, on a USB stick or in another folder: checked, and those of 14 days."""
