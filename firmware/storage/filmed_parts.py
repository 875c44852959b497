"""Which parts of a table may be recorded or shown: those that the game calls open, if the host wants it."""

from firmware.storage.configuration import CameraSettings
from referee.match import Match
from vision.process.messages import FilmedParts, FilmParts
from vision.table.zones import Zones


def parts_to_film(match: Match, zones: Zones, camera: CameraSettings) -> FilmParts:
    """Tell the eyes what to record of a match, and what to show of it, as the host has chosen."""
    parts = filmed_parts(match, zones, is_wanted=camera.clips or camera.live)
    return FilmParts(parts, camera.clips, camera.live)


def filmed_parts(match: Match, zones: Zones, *, is_wanted: bool) -> FilmedParts | None:
    """Tell what may be recorded of a match; None if the host doesn't want it, or the game has no open part."""
    opened = tuple(
        zone.name for zone in match.setup.game.table.filmed if zone.seat is None and zone.name in zones
    )
    if not is_wanted or not opened:
        return None
    # the parts of players' places have a number
    shared = (name for name in zones if not name.rpartition(" ")[2].isdecimal())
    return FilmedParts(opened, tuple(name for name in shared if name not in opened))
