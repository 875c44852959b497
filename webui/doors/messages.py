"""What the table says besides the game."""

from typing import Protocol


class TableMessage(Protocol):
    """A notice or trouble; only `Services.tell` puts it into words."""

    @property
    def key(self) -> str:
        """Give the kind of message."""
