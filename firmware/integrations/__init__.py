"""What the table tells other programs by itself."""
