"""What people see of a scripted evening, kept as text; `python -m tests.record` writes it anew."""
