"""Who isn't the director sees each table as late as its host wants."""

from collections.abc import Sequence

from flask import Request

from club.web.access import DIRECTOR, club_viewer
from club.web.services import ClubServices


def sees_late(services: ClubServices, troubles: Sequence[type[Exception]], request: Request) -> bool:
    """Tell whether a request is anybody's but the director's; without a database, it is."""
    if DIRECTOR not in request.cookies or services.is_away():
        return True
    try:
        return not club_viewer(services, request).is_director
    except tuple(troubles):
        return True
