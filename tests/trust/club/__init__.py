"""A club under trial, with real processes: `python -m tests.trust.club`."""
