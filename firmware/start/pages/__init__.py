"""What the pages are handed: each file is one door of `webui/doors`, opened onto this table."""
