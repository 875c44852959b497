"""Ten thousand random matches give the same bytes when they are played again, and when they are replayed."""

import os
import subprocess
import sys

MATCHES = 10_000


def started(seed: str, *arguments: str) -> "subprocess.Popen[str]":
    """Play in a Python of its own, with its own order of sets and dicts."""
    command = [sys.executable, "-m", "tests.referee.same_bytes", *arguments]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True
    )


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    with started("0", str(MATCHES)) as played, started("4711", str(MATCHES), "replayed") as replayed:
        digests = [played.communicate()[0], replayed.communicate()[0]]
    assert played.returncode == replayed.returncode == 0
    assert len(digests[0].strip()) == 64
    assert digests[0] == digests[1]
