"""Count a program's instructions, as an estimate of a Raspberry Pi's time."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping

import numpy as np

PI_4 = 1.5e9
"""Instructions per second of a Pi 4 core: 1.5 GHz at one per cycle, as is usual for Python code."""
COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


def require_valgrind() -> None:
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind counts the instructions, and isn't here: apt install valgrind")


def count_instructions(program: str, *arguments: str) -> int:
    """Return the instructions of a Python program, with vectors as wide as a Pi's."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command = [*counter, sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=_narrow_vectors(), capture_output=True, text=True, check=False)
    found = COUNTED.search(done.stderr)
    if done.returncode or found is None:
        raise SystemExit(f"{arguments[0]} wasn't counted: {done.stderr[-300:]}")
    return int(found[1].replace(",", ""))


def _narrow_vectors() -> Mapping[str, str]:
    """Return environment variables that limit libraries to vectors of 128 bits."""
    if platform.machine() != "x86_64":
        return os.environ
    wider = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return {
        **os.environ,
        "OPENCV_CPU_DISABLE": "AVX,AVX2,FP16,AVX512_SKX",
        "OPENCV_IPP": "disabled",
        "NPY_DISABLE_CPU_FEATURES": " ".join(wider),
        "OPENBLAS_CORETYPE": "Nehalem",
        "OPENBLAS_NUM_THREADS": "1",
    }
