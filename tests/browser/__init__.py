"""What people see: the pages in a real Chromium, on a table that runs."""
