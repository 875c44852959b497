"""A PostgreSQL of the hub's own: found where Debian has it, its data in the club's folder."""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from time import monotonic, sleep
from typing import Self

from psycopg import Connection, Error

from club.errors import ClubError
from club.programs import LOOK, PATIENCE, Program, as_user

SERVER_USER = "postgres"
"""Under whose name PostgreSQL runs where we are root: it refuses root."""


def find_postgres(version: str | None = None) -> Path | None:
    """Find the folder of PostgreSQL's programs: of a version, or the newest."""
    there = shutil.which("initdb")
    debian = [folder / "bin" for folder in Path("/usr/lib/postgresql").glob(version or "*")]
    folders = sorted((each for each in debian if (each / "initdb").exists()), key=_version, reverse=True)
    if folders:
        return folders[0]
    return None if there is None or version is not None else Path(there).resolve().parent


def _version(folder: Path) -> float:
    try:
        return float(folder.parent.name)
    except ValueError:
        return 0.0


class Postgres:
    """A PostgreSQL of the hub's own: its data in a folder, its socket where only this machine comes in."""

    def __init__(self, folder: Path, durable: bool = True) -> None:
        """Take the folder; one without a cluster gets one. Only tests do without syncing."""
        self._folder, self._data = folder, folder / "data"
        self._is_durable = durable
        self._socket = Path(tempfile.mkdtemp(prefix="coyote-club-", dir=_short_folder()))
        self._program: Program | None = None
        self._password = ""

    @property
    def address(self) -> str:
        """Give what a program connects with."""
        return f"host={self._socket} user=coyote dbname=postgres password={self._password}"

    @property
    def pid(self) -> int | None:
        """Give the number of its process, while it runs."""
        return None if self._program is None else self._program.pid

    def start(self) -> Self:
        """Start it, and wait until it answers; a new folder gets a cluster first."""
        programs = self._programs()
        user = SERVER_USER if os.geteuid() == 0 else None
        self._prepare(programs, user)
        if self._program is None:
            settings = {"listen_addresses": "", "unix_socket_directories": str(self._socket)}
            if not self._is_durable:
                settings |= {"fsync": "off", "full_page_writes": "off"}
            said = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
            command = (str(programs / "postgres"), "-D", str(self._data), *said)
            self._program = Program(command, self._folder / "postgres.log", user, signal.SIGINT)
        self._program.start()
        self._await()
        return self

    def is_running(self) -> bool:
        """Return whether it runs."""
        return self._program is not None and self._program.is_running()

    def last_words(self) -> str:
        """Give the last line that it has written."""
        return "" if self._program is None else self._program.last_words()

    def kill(self) -> None:
        """Pull its plug."""
        if self._program is not None:
            self._program.kill()

    def send(self, what: signal.Signals) -> None:
        """Send it a signal."""
        if self._program is not None:
            self._program.send(what)

    def close(self) -> None:
        """End it, with all who are connected, and take its socket away."""
        if self._program is not None:
            self._program.end()
        shutil.rmtree(self._socket, ignore_errors=True)

    def _programs(self) -> Path:
        file = self._data / "PG_VERSION"
        version = file.read_text(encoding="ascii").strip() if file.exists() else None
        programs = find_postgres(version)
        if programs is None:
            raise ClubError("no postgresql", version=version or "")
        return programs

    def _prepare(self, programs: Path, user: str | None) -> None:
        """Make the cluster, and a password for it, once; as root all of it is the server's user's."""
        kept = self._folder / "password"
        if user is not None:
            for folder in (self._folder, self._socket):
                folder.mkdir(parents=True, exist_ok=True)
                shutil.chown(folder, user)
            _check_way(self._folder, user)
        self._folder.mkdir(parents=True, exist_ok=True)
        if not (self._data / "PG_VERSION").exists():
            shutil.rmtree(self._data, ignore_errors=True)
            kept.unlink(missing_ok=True)
            kept.touch(0o600)
            kept.write_text(secrets.token_urlsafe(32) + "\n", encoding="ascii")
            if user is not None:
                shutil.chown(kept, user)
            self._make_cluster(programs, kept, user)
        self._password = kept.read_text(encoding="ascii").strip()

    def _make_cluster(self, programs: Path, password: Path, user: str | None) -> None:
        draft = self._folder / "data.draft"
        shutil.rmtree(draft, ignore_errors=True)
        said = ("-D", str(draft), "-U", "coyote", "--auth=scram-sha-256", f"--pwfile={password}", "-E", "UTF8")
        command = (str(programs / "initdb"), *said, "--locale=C.UTF-8")
        done = subprocess.run(  # noqa: S603 - a program of the system, our own arguments
            command, capture_output=True, check=False, cwd="/", stdin=subprocess.DEVNULL, **as_user(user)
        )
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip().splitlines()
            raise ClubError("not started", program="initdb", why=told[-1] if told else "")
        draft.rename(self._data)

    def _await(self) -> None:
        end = monotonic() + PATIENCE
        while True:
            try:
                Connection.connect(self.address, connect_timeout=5).close()
            except Error as error:
                if self._program is None or not self._program.is_running() or monotonic() > end:
                    said = self._program.last_words() if self._program else str(error)
                    raise ClubError("not started", program="postgres", why=said) from error
                sleep(LOOK)
            else:
                return


def _short_folder() -> Path:
    """Choose where a socket lies: its path may have no more than 107 letters."""
    return Path("/run") if os.access("/run", os.W_OK) else Path("/tmp")  # noqa: S108 - a folder of our own in it


def _check_way(folder: Path, user: str) -> None:
    """Say which folder keeps the server's user from its data, if one does."""
    here = pwd.getpwnam(user)
    for each in reversed(folder.resolve().parents):
        mode = each.stat()
        if not (mode.st_mode & 0o001 or (mode.st_uid == here.pw_uid and mode.st_mode & 0o100)):
            raise ClubError("no way", folder=str(each), user=user)
