"""Benchmarks of each part on this machine (`python -m tests.bench NAME`)."""

import os

# like the program: with more threads, a busy machine takes up to three times as long
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
