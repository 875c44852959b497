"""Random matches give the same bytes when they are played again, and when they are replayed."""

import os
import subprocess
import sys
from pathlib import Path

MATCHES = {"coyote": 100, "coup": 150, "coup-d-etat": 7, "plenty-coups": 7, "ogallala": 4}
"""As many as take a few seconds; `python -m tests.trust.determinism` plays thousands, on several Pythons."""


def start_python(seed: str, *arguments: str) -> "subprocess.Popen[str]":
    """Play in a Python of its own, with its own order of sets and dicts."""
    matches = (f"{name}={number}" for name, number in MATCHES.items())
    command = [sys.executable, "-m", "tests.referee.same_bytes", *matches, *arguments]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True
    )


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    with start_python("0", "--keep", str(tmp_path)) as played, start_python("4711") as again:
        digests = [played.communicate()[0], again.communicate()[0]]
    with start_python("815", "--replay", str(tmp_path)) as replayed:
        digests.append(replayed.communicate()[0])
    assert played.returncode == again.returncode == replayed.returncode == 0
    assert [line.split()[0] for line in digests[0].splitlines()] == list(MATCHES)
    assert len(set(digests)) == 1
