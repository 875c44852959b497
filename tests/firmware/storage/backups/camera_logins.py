"""Attacks on camera logins: search backups for them, and restore them."""

import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from string import ascii_letters, digits
from zipfile import ZipFile

from msgspec import Struct

from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.cards_choice import part_found_tables
from firmware.storage.configuration import HostChoice, keep, own_settings
from tests.firmware.storage.backups.copying_tables import CopyingTable, other_disk
from tests.firmware.storage.backups.tables import backup_of, table_in

FORMS = (
    "rtsp://admin:{}@192.0.2.1/stream", "http://admin:{}@192.0.2.1", "HTTPS://admin:{}@cam.local:8443/x?y=1",
    "http://192.0.2.1:8080/snap?user=admin&pwd={}", "http://192.0.2.1/{}/video", "rtsp://admin:{}/x@192.0.2.1/",
)  # fmt: skip
PLACES = ("chosen.json", "coyote.toml", "both", "escaped")
"""The files with the address; escaped letters in `coyote.toml` are still the same address."""


class LoginFigures(Struct):
    """Figures of the attack."""

    addresses: int = 0
    searched: int = 0  # files of backups
    kept: int = 0  # restores on the same table, with the same camera
    asked: int = 0  # restores on another table, which ask for the camera
    wrong: list[str] = []


def attack_logins(folder: Path, rng: Random, place: str) -> LoginFigures:
    """Back up a table with a camera's login in two ways, search both backups, and restore them."""
    secret = "".join(rng.choices(ascii_letters + digits, k=12))
    address = rng.choice(FORMS).format(secret)
    here, other = _table_with(folder / "here", address, place), table_in(folder / "other", "Zoë")
    figures = LoginFigures(1)
    backup = backup_of(here, folder / "b.zip")
    with other_disk(folder) as disk:
        table = CopyingTable(disk, here)
        table.copy()
        [copy] = table.home.rglob("*.zip")
        shutil.copy(copy, folder / "copy.zip")
    mark = sha256(address.encode()).hexdigest()[:12]
    for name, content in (*_files_in(backup), *_files_in(folder / "copy.zip")):
        figures.searched += 1
        figures.wrong += [f"{place}, {name}: {each}" for each in (secret, mark) if each.encode() in content]
    if place == "escaped":
        # such a file isn't in the backup
        return figures
    stage(backup, here)
    finish_restore(here)
    figures.kept += own_settings(here.configuration, here.state).camera.name == address
    before = own_settings(other.configuration, other.state).camera
    figures.asked += "camera.name" in stage(backup, other).strange
    finish_restore(other)
    if own_settings(other.configuration, other.state).camera != before:
        figures.wrong.append(f"{place}: another table got the camera of {address}")
    return figures


def _table_with(folder: Path, address: str, place: str) -> TablePlaces:
    here = table_in(folder, "Ana")
    if place in {"chosen.json", "both"}:
        keep(HostChoice("fr", camera={"name": address}), here.state)
    if place != "chosen.json":
        written = address.replace("/", "\\u002f") if place == "escaped" else address
        old = address if "@" in address else "none"
        here.configuration.write_text(f'[camera]\n# name = "{old}"\nname = "{written}"\n', encoding="utf-8")
    part_found_tables(here.state, address)
    return here


def _files_in(backup: Path) -> Iterator[tuple[str, bytes]]:
    with ZipFile(backup) as opened:
        yield from ((name, opened.read(name)) for name in opened.namelist())
