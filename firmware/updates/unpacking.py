"""Laying the code of a commit into a folder."""

import os
from pathlib import Path

from firmware.updates.files import remove, write_whole
from firmware.updates.layout import COMMIT
from firmware.updates.tools import git

INDEX = ".index"


def unpack_commit(repository: Path, commit: str, folder: Path) -> None:
    """Lay the code of a commit into a new folder; no other folder is touched."""
    remove(folder)
    folder.mkdir()
    environ = {**os.environ, "GIT_INDEX_FILE": str(folder / INDEX)}
    git_folder = git(repository, "rev-parse", "--absolute-git-dir")
    git(folder, f"--git-dir={git_folder}", "--work-tree=.", "checkout", commit, "--", ".", environ=environ)
    (folder / INDEX).unlink()
    write_whole(folder / COMMIT, commit.encode())
