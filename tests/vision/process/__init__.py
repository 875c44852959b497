"""The eyes as a process, as tests."""
