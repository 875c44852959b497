"""Benchmarks of each part on this machine (`python -m tests.bench NAME`)."""
