"""Benchmarks, as tests."""
