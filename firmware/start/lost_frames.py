"""Frames that a camera lost since the computer started, as the journal tells: of a cable too long, or loose."""

import re
import shutil
import subprocess
from collections.abc import Iterator

from firmware.language.sentences import say
from firmware.parts.checks import Finding, wrong

LOST = r"frontend has timed out|Dequeue timer of|uvcvideo.*Non-zero status"
"""What libcamera says of a camera of the Pi, and the kernel of one by USB."""
SLOWEST = 20
"""Seconds that reading a journal may take."""


def frame_findings() -> Iterator[Finding]:
    """Say that frames were lost, and what cures it."""
    count = len(re.findall(LOST, _journal()))
    if count:
        told = say("frames were lost since the computer started: {count} notes in the journal", count=count)
        yield wrong(told, say("push its cable in at both ends; a flat one is 50 cm at most"))


def _journal() -> str:
    """Read what the journal of this start says of lost frames; nothing where there is none."""
    program = shutil.which("journalctl")
    if program is None:
        return ""
    asked = [program, "--boot", "--quiet", "--no-pager", "--output=cat", f"--grep={LOST}"]
    try:
        done = subprocess.run(asked, capture_output=True, timeout=SLOWEST, check=False)  # noqa: S603 - our own words
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")
