"""The hub's own PostgreSQL: Debian's programs, with data in the club's folder."""

import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

from psycopg import Connection, Error

from club import ClubError
from club.programs import Program, as_user
from firmware.storage.files import write_private

SERVER_USER = "postgres"  # user of the PostgreSQL process if we are root, because it refuses root


def find_postgres(version: str | None = None) -> Path | None:
    """Return the folder of PostgreSQL's programs: of a version, or the newest."""
    there = shutil.which("initdb")
    debian = [folder / "bin" for folder in Path("/usr/lib/postgresql").glob(version or "*")]
    folders = [each for each in debian if (each / "initdb").exists()]
    if folders:
        # 9.6 is older than 15, and a folder without a version is the oldest
        return max(folders, key=lambda each: [int(part) for part in re.findall("[0-9]+", each.parent.name)])
    return None if there is None or version is not None else Path(there).resolve().parent


class Postgres:
    """The hub's own PostgreSQL: its data in a folder, and a socket for this machine only."""

    def __init__(self, folder: Path, durable: bool = True) -> None:
        """Use a folder and create a cluster if necessary. Only tests run without syncing."""
        self._folder, self._data = folder, folder / "data"
        # the programs must have the cluster's version
        file = self._data / "PG_VERSION"
        version = file.read_text(encoding="ascii").strip() if file.exists() else None
        programs = find_postgres(version)
        if programs is None:
            raise ClubError("no postgresql", version=version or "")
        self._programs, self._user = programs, SERVER_USER if os.geteuid() == 0 else None
        # a socket's path is limited to 107 letters
        short = "/run" if os.access("/run", os.W_OK) else "/tmp"  # noqa: S108 - a folder of our own in it
        self._socket = Path(tempfile.mkdtemp(prefix="coyote-club-", dir=short))
        settings = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={self._socket}")
        lasting = () if durable else ("-c", "fsync=off", "-c", "full_page_writes=off")
        command = (str(self._programs / "postgres"), "-D", str(self._data), *settings, *lasting)
        self.program = Program("postgres", command, folder / "postgres.log", self._user, signal.SIGINT)

    @property
    def address(self) -> str:
        password = (self._folder / "password").read_text(encoding="ascii").strip()
        return f"host={self._socket} user=coyote dbname=postgres password={password}"

    def start(self) -> Self:
        # create the cluster and its password, once; if we are root, all files belong to the server's user
        if self._user is not None:
            for folder in (self._folder, self._socket):
                folder.mkdir(parents=True, exist_ok=True)
                shutil.chown(folder, self._user)
            # a parent folder may prevent the server's user from reaching its data
            here = pwd.getpwnam(self._user)
            for each in reversed(self._folder.resolve().parents):
                mode = each.stat()
                if not (mode.st_mode & 0o001 or (mode.st_uid == here.pw_uid and mode.st_mode & 0o100)):
                    raise ClubError("no way", folder=str(each), user=self._user)
        if not (self._data / "PG_VERSION").exists():
            shutil.rmtree(self._data, ignore_errors=True)
            password = self._folder / "password"
            write_private(password, secrets.token_urlsafe(32).encode())
            if self._user is not None:
                shutil.chown(password, self._user)
            self._make_cluster(password)
        self.program.start(self._answers)
        return self

    def close(self) -> None:
        self.program.end()
        shutil.rmtree(self._socket, ignore_errors=True)

    def _answers(self) -> bool:
        with suppress(Error):
            Connection.connect(self.address, connect_timeout=5).close()
            return True
        return False

    def _make_cluster(self, password: Path) -> None:
        draft = self._folder / "data.draft"
        shutil.rmtree(draft, ignore_errors=True)
        options = (
            "-D",
            str(draft),
            "-U",
            "coyote",
            "--auth=scram-sha-256",
            f"--pwfile={password}",
            "-E",
            "UTF8",
        )
        command = (str(self._programs / "initdb"), *options, "--locale=C.UTF-8")
        done = subprocess.run(  # noqa: S603 - a program of the system, our own arguments
            command, capture_output=True, check=False, cwd="/", stdin=subprocess.DEVNULL, **as_user(self._user)
        )
        if done.returncode:
            errors = done.stderr.decode(errors="replace").strip().splitlines()
            raise ClubError("not started", program="initdb", why=errors[-1] if errors else "")
        draft.rename(self._data)
