"""What the eyes start from: the camera, the table as it was found last, what may be shown and counted."""

import os
from collections.abc import Mapping
from pathlib import Path

from firmware.state_folder import EVIDENCE, FOUND_TABLE, TRIED, state_directory
from firmware.storage.configuration import CameraSettings
from firmware.storage.decks import piece_folders
from referee.match import Match
from vision.files import read_json_or
from vision.process.messages import EyesSettings, FilmedParts, FilmParts, UsePieces
from vision.table.calibration import Calibration, is_sound
from vision.table.thrift import PLENTY, SMALL, Thrift
from vision.table.zones import Zones


def settings(
    camera: str, deck: Path, among: Mapping[str, int] | None, zones: Zones, sight: CameraSettings
) -> EyesSettings:
    """Put together what the eyes start from, with the table where it was left.

    The camera may be another one than that of the settings.
    """
    kept = state_directory(os.environ) / FOUND_TABLE
    return EyesSettings(
        camera=camera,
        deck=str(deck),
        among=among,
        table=load_calibration(kept),
        empty=str(kept.with_suffix(".png")),
        zones=zones,
        tried=str(state_directory(os.environ) / TRIED),
        evidence=str(state_directory(os.environ) / EVIDENCE),
        mains=sight.mains,
        thrift=chosen_thrift(sight.small),
    )


def load_calibration(file: Path) -> Calibration | None:
    """Load the table that was found last; one that can't be read is as good as none: it is found anew."""
    table = read_json_or(file, Calibration, None)
    return table if table is not None and is_sound(table) else None


ROOMY = 700_000_000
"""Bytes from which on there is room for whole pictures: a Pi of 1 GB has more, one of 512 MB less."""


def total_memory() -> int:
    """Count the bytes of this computer's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def chosen_thrift(small: bool | None) -> Thrift:
    """Choose what pictures may take: as configured, else by the computer's memory."""
    is_small = total_memory() < ROOMY if small is None else small
    return SMALL if is_small else PLENTY


def parts_to_film(match: Match, zones: Zones, camera: CameraSettings) -> FilmParts:
    """Return what the eyes are to show of a match to who looks on, as the host has chosen."""
    return FilmParts(filmed_parts(match, zones) if camera.live else None)


def filmed_parts(match: Match, zones: Zones) -> FilmedParts | None:
    """Return what may be shown; None if the game has no open part."""
    opened = tuple(
        zone.name for zone in match.setup.game.table.filmed if zone.seat is None and zone.name in zones
    )
    if not opened:
        return None
    # the parts of players' places have a number
    shared = (name for name in zones if not name.rpartition(" ")[2].isdecimal())
    return FilmedParts(opened, tuple(name for name in shared if name not in opened))


def use_pieces(match: Match, scratch: Path, sight: CameraSettings) -> UsePieces:
    """Return which pieces the eyes are to count in a match: none, if the host doesn't want it."""
    game = match.setup.game
    deck = game.table.deck(match.setup.house).name
    return UsePieces(tuple(piece_folders(deck, game.table.pieces, scratch)) if sight.pieces else ())
