"""Which parts of a table may be recorded for clips: those that the game calls open, if the host wants clips."""

from referee.match import Match
from vision.process.clip_view import FilmedParts
from vision.table.zones import Zones


def filmed_parts(match: Match, zones: Zones, *, is_wanted: bool) -> FilmedParts | None:
    """Tell what may be recorded of a match; None if the host doesn't want it, or the game has no open part."""
    opened = tuple(zone.name for zone in match.setup.game.filmed if zone.seat is None and zone.name in zones)
    if not is_wanted or not opened:
        return None
    # the parts of players' places have a number
    shared = (name for name in zones if not name.rpartition(" ")[2].isdecimal())
    return FilmedParts(opened, tuple(name for name in shared if name not in opened))
