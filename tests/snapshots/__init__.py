"""What people see of a scripted evening, kept as text; `python -m tests.snapshots` writes it anew."""
