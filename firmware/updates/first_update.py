"""The way back to version 0.1.0, which is updated in place: it leaves its environment in `.venv-before`.

It becomes a version like all others, with code and environment in a folder of its own.
"""

from collections.abc import Iterator
from pathlib import Path

from firmware.updates.files import read_text, write_whole
from firmware.updates.layout import EARLIER, Home, is_whole
from firmware.updates.sources import unpack_commit
from firmware.updates.tools import UpdateError, run_tool

NAMED = ".version"
"""The file in that environment that names its commit."""
SHORT = 12
SMALL = 1_000_000


def adopt_earlier(home: Home) -> str | None:
    """Make what an update in place has left one of the versions, and name it; None where nothing is left."""
    environment = home.root / EARLIER
    commit = read_text(environment / NAMED)
    if not commit:
        return None
    folder = home.folder(commit[:SHORT])
    unpack_commit(home.root, commit, folder)
    for file in _files_with_paths(environment):
        _move_paths(file, home.root, folder)
    environment.replace(folder / ".venv")
    if not is_whole(folder):
        raise UpdateError(f"{folder} can't be started: there is no way back.")
    run_tool(str(folder / ".venv" / "bin" / "coyote"), "--version")
    return folder.name


def _files_with_paths(environment: Path) -> Iterator[Path]:
    """Find the files of an environment that say where it lies, and where its code does."""
    for pattern in ("bin/*", "lib/*/site-packages/__editable__*"):
        for file in environment.glob(pattern):
            if file.is_file() and not file.is_symlink() and file.stat().st_size < SMALL:
                yield file


def _move_paths(file: Path, root: Path, folder: Path) -> None:
    """Let a file of an environment speak of the version's own folder; once is enough."""
    before, after = str(root).encode(), str(folder).encode()
    said = file.read_bytes()
    if before in said and after not in said:
        mode = file.stat().st_mode
        write_whole(file, said.replace(before, after))
        file.chmod(mode)
