"""Browser tests: the pages of a running table in a real Chromium."""
