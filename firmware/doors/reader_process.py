"""Readers in a process of their own, which can be killed: a picture goes in, what was read comes out."""

import os
import sys
from subprocess import DEVNULL, PIPE, TimeoutExpired, run
from tempfile import TemporaryFile
from typing import IO

ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""One thread: the others are the table's."""


def run_reader(module: str, asked: str, picture: IO[bytes], seconds: float) -> bytes | None:
    """Give what a process said of a picture, which may be nothing; None if it took too long."""
    command = [sys.executable, "-P", "-m", module, asked]
    with TemporaryFile() as spooled:
        while part := picture.read(1 << 20):
            spooled.write(part)
        spooled.seek(0)
        try:
            done = run(  # noqa: S603 - our own Python, and nothing that a phone says
                command,
                stdin=spooled,
                stdout=PIPE,
                stderr=DEVNULL,
                timeout=seconds,
                check=False,
                env={**os.environ, **ALONE},
            )
        except TimeoutExpired:
            return None
    return done.stdout
