"""Snapshots of a scripted evening as text; `python -m tests.snapshots` rewrites them."""
