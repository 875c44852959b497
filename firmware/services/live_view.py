"""The camera's view for pages: cards in view, a picture on request, the question about the camera."""

from concurrent.futures import CancelledError
from threading import Lock
from time import monotonic

from msgspec import Struct

from firmware.table.client import TableClient
from firmware.table.naming import CardsInView, cards_in_view
from vision.process.messages import DID_MOVE, SettleMove, TakeView, ViewTaken

AGE = 0.8  # seconds for which all viewers get the same picture
TIMEOUT = 2.0  # seconds to wait for the eyes
UNDO_SECONDS = 60.0  # seconds for which an answer can be undone


class ViewedPicture(Struct, frozen=True):
    """The last picture, and whether every card in it was read."""

    jpeg: bytes
    is_read: bool
    moment: tuple[str, int]
    taken: float  # monotonic seconds


class LiveView:
    """The camera's picture for those who may see it, taken only while somebody looks."""

    def __init__(self, client: TableClient) -> None:
        self._client, self._lock = client, Lock()
        self._last: ViewedPicture | None = None
        self._answer: tuple[bool, float] | None = None
        """Whether the camera moved, as a person answered, and the monotonic seconds of the answer."""

    def cards(self, seat: int | None) -> CardsInView:
        """Return the cards in the camera's picture for a seat; without a seat, for a shared screen."""
        state, size = self._client.state(), self._client.picture_size
        return cards_in_view(self._client.moment(), state.cards, state.unknown, size, seat)

    @property
    def is_looking(self) -> bool:
        """Whether a change of the table waits for its reading."""
        return self._client.is_looking

    def picture(self, seat: int | None) -> bytes | None:
        """Return the picture, if a viewer may see it now; until the table rests, the one before.

        While nobody is asked for cards that the viewer may see, a hand could show some before they are read.
        """
        seen = self.cards(seat)
        if not seen.size[0] or not seen.may_show:
            return None
        jpeg = self._taken(is_read=not seen.sees_ask)
        # the eyes report what they read before they send its picture
        now = self.cards(seat)
        return jpeg if now.may_show and now.sees_ask == seen.sees_ask else None

    def _taken(self, *, is_read: bool) -> bytes | None:
        match = self._client.moment()
        moment = match.setup.begun, match.number
        with self._lock:
            last = self._last
            if (
                last is None
                or (last.is_read, last.moment) != (is_read, moment)
                or monotonic() - last.taken > AGE
            ):
                try:
                    view = self._client.show(TakeView(is_read), ViewTaken).result(TIMEOUT)
                except (TimeoutError, CancelledError):
                    # the others don't wait for the same silence
                    view = ViewTaken(b"", is_read)
                self._last = last = ViewedPicture(view.jpeg, view.is_read, moment, monotonic())
        # a late picture may have been taken for another viewer
        return last.jpeg or None if last.is_read == is_read else None

    def settle_move(self, *, moved: bool) -> bool:
        """Answer whether the camera moved. Returns False if that isn't asked any more."""
        if DID_MOVE not in self._client.troubles():
            return False
        self._answer = moved, monotonic()
        self._client.do(SettleMove(moved))
        self._client.redraw()
        return True

    @property
    def settled(self) -> bool | None:
        """The last answer, while it can be undone."""
        moved, given = self._answer or (None, 0.0)
        return None if monotonic() - given > UNDO_SECONDS else moved

    def undo_move(self) -> bool:
        """Take the last answer back. Returns False if it is too late."""
        moved = self.settled
        if moved is None:
            return False
        self._answer = None
        self._client.do(SettleMove(not moved))
        self._client.redraw()
        return True
