"""The lock files: which packages they pin, and by which hashes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = (
    "requirements/table.lock",
    "plugins/club/requirements.lock",
    "requirements/test.lock",
    "requirements/oldest.lock",
    "requirements/judge.lock",
)


PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)==\S+", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def pinned_packages(lock: str) -> dict[str, str]:
    """Give the packages of a lock file, each with all that is said of it."""
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert [line for line in lines if not PINNED.match(line)] == []
    # one for some Pythons and another for others: a name may be there twice
    return {line.split()[0]: line for line in lines}


def unhashed_packages(lock: str) -> list[str]:
    """Name the packages of a lock file that have no hash, so that another file could take their place."""
    return [name for name, line in pinned_packages(lock).items() if not HASH.search(line)]
