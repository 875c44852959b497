"""Drafts of files whose writers were killed are removed, of all files or of one; no other file is."""

import os
from pathlib import Path

import pytest

from vision.files import sweep

DEAD = 2**22 + 7
"""No process has such a number."""
NAMES = ("a.json", "[b]*", "*")


@pytest.mark.parametrize(("of", "gone"), [("*", set(NAMES)), ("a.json", {"a.json"}), ("[b]*", {"[b]*"})])
def test_drafts_of_the_dead_are_removed(tmp_path: Path, of: str, gone: set[str]) -> None:
    for name in NAMES:
        for writer in (str(DEAD), str(os.getpid()), f"{DEAD}x"):
            (tmp_path / f".{name}.{writer}").touch()
        (tmp_path / name).touch()
    before = set(tmp_path.iterdir())
    sweep(tmp_path, of)
    assert before - set(tmp_path.iterdir()) == {tmp_path / f".{name}.{DEAD}" for name in gone}
