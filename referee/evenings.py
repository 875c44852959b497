"""Which evening something belongs to."""

from datetime import datetime, timedelta

MORNING = timedelta(hours=6)
"""An evening lasts into the small hours."""


def day_of(begun: str) -> str:
    """Name the day of the evening to which a match belongs; nothing if it isn't known."""
    try:
        return (datetime.fromisoformat(begun) - MORNING).date().isoformat()
    except (ValueError, OverflowError):
        return ""
