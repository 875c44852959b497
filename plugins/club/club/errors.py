"""What hinders a hub, as data; `firmware/start` puts it into words."""

from vision.troubles import TroubleError


class ClubError(TroubleError):
    """Why the hub can't go on."""
