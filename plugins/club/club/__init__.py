"""A club: collects the lines of many tables from a broker into a database, and shows them on pages."""

from firmware.language.catalogues import add_catalogues
from vision.troubles import TroubleError

add_catalogues("club")


class ClubError(TroubleError):
    """Why the hub can't continue, as data; `firmware/language/words.py` has the words."""
