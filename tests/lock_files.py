"""The lock files: their pinned packages and hashes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = (
    "requirements/table.lock",
    "plugins/club/requirements.lock",
    "requirements/test.lock",
    "requirements/judge.lock",
)


PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)==\S+", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def pinned_packages(lock: str) -> dict[str, str]:
    """Return the packages of a lock file, each with its full entry."""
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert [line for line in lines if not PINNED.match(line)] == []
    # a name may occur twice, with versions for different Pythons
    return {line.split()[0]: line for line in lines}


def unhashed_packages(lock: str) -> list[str]:
    """Return the packages of a lock file without a hash; their files could be replaced."""
    return [name for name, line in pinned_packages(lock).items() if not HASH.search(line)]
