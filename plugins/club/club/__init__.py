"""A club: what many tables have said, from a broker into a database, and pages that show it."""

from firmware.language.catalogues import add_catalogues
from vision.troubles import TroubleError

add_catalogues("club")


class ClubError(TroubleError):
    """Why the hub can't go on, as data; `firmware/language/words.py` puts it into words."""
