"""What the pages need of clips: the seconds around rulings that rest on the camera."""

from typing import Protocol

from vision.process.evidence import Clip


class ClipDoor(Protocol):
    """The clips of the match that stands, and of those of the history."""

    def are_kept(self) -> bool:
        """Tell whether clips are kept now."""

    def names(self) -> tuple[str, ...]:
        """List the clips of the match that stands, the oldest first."""

    def clip(self, name: str) -> Clip | None:
        """Give a clip of the match that stands."""

    def names_of(self, match: int) -> tuple[str, ...]:
        """List the clips of a match of the history."""

    def clip_of(self, match: int, name: str) -> Clip | None:
        """Give a clip of a match of the history."""

    def moving(self, name: str) -> bytes | None:
        """Give a clip of the match that stands as a WebP that moves by itself; None if it can't be made now."""

    def moving_of(self, match: int, name: str) -> bytes | None:
        """Give the same of a match of the history."""

    def keep_now(self) -> None:
        """Keep what has happened in the last seconds."""
