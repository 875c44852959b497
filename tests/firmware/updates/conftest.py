"""A repository with a release, its checkout, and the updater."""

import io
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import Struct

from firmware.storage.files import MEMORY
from firmware.updates import update
from tests.firmware.updates.small_releases import Checkout, Upstream, clone, make_key


class UpdateResult(Struct, frozen=True):
    """An updater's exit status and output."""

    code: int
    lines: tuple[str, ...]


Updater = Callable[..., UpdateResult]


@pytest.fixture(scope="session")
def updates_folder() -> Iterator[Path]:
    """Yield a folder in memory, if possible, because updates sync the disk after each step."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def place(updates_folder: Path) -> Iterator[Path]:
    """Yield an empty folder, which has the same path in each test."""
    folder = updates_folder / "place"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def first_release(tmp_path_factory: pytest.TempPathFactory) -> Upstream:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("releases can't be signed here: apt install openssh-client")
    folder = tmp_path_factory.mktemp("releases")
    made = Upstream(folder / "upstream", make_key(folder))
    made.begin()
    return made


@pytest.fixture(scope="session")
def first_checkout(updates_folder: Path, first_release: Upstream) -> Path:
    """Return the folder of a checkout and its state; a copy works only at `place`, where it was made."""
    place = updates_folder / "place"
    place.mkdir()
    clone(place, first_release.copied(place / "upstream"))
    return place.rename(updates_folder / "first")


@pytest.fixture
def upstream(place: Path, first_release: Upstream) -> Upstream:
    return first_release.copied(place / "upstream")


@pytest.fixture
def checkout(upstream: Upstream, first_checkout: Path) -> Checkout:
    checkout = Checkout(upstream.folder.parent)
    for folder in (checkout.root, checkout.state):
        shutil.copytree(first_checkout / folder.name, folder, symlinks=True)
    return checkout


@pytest.fixture
def updater(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> Updater:
    """Call the updater as ./run does, but in this process, and without syncing the whole disk."""
    monkeypatch.setattr(update.os, "sync", lambda: None)
    for name, value in checkout.environ.items():
        monkeypatch.setenv(name, value)

    def call(*words: str) -> UpdateResult:
        said = io.StringIO()
        monkeypatch.setattr(sys, "argv", ["run", "update", str(checkout.root), *words])
        with redirect_stderr(said), pytest.raises(SystemExit) as ended:
            update.main()
        return UpdateResult(int(str(ended.value.code or 0)), tuple(said.getvalue().splitlines()))

    return call
