"""What is kept, on disks that fail."""
