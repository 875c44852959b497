"""The live picture between eyes and pages: the newest alone, past the loop, none that is old or withdrawn."""

from threading import Thread
from typing import Any

import pytest

from firmware.start.pages.live_door import OLD, LivePictures, ShowingEyes
from tests.vision.process.test_clip_recorder import Clock
from vision.process.messages import LivePicture, PiecesCounted


class FakeEyes:
    """Eyes that tell what a test says."""

    starts = 3

    def __init__(self, *news: Any) -> None:
        """Take what is told."""
        self.told, self.is_closed = list(news), False
        self.heard: list[Any] = []

    def news(self) -> list[Any]:
        """Give it once."""
        told, self.told = self.told, []
        return told

    def tell(self, message: Any) -> None:
        """Hear it."""
        self.heard.append(message)

    def close(self) -> None:
        """End."""
        self.is_closed = True


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


def newest_of(live: LivePictures) -> bytes | None:
    newest = live.newest()
    return None if newest is None else newest.jpeg


def test_pictures_go_to_the_pages_and_all_else_to_the_loop(clock: Clock) -> None:
    live, counted = LivePictures(clock, is_on=True), PiecesCounted(())
    eyes = FakeEyes(LivePicture(b"one"), counted, LivePicture(b"two"))
    showing = ShowingEyes(eyes, live)
    assert (showing.starts, showing.news(), newest_of(live)) == (3, [counted], b"two")
    showing.tell("an order")
    showing.close()
    assert (eyes.heard, eyes.is_closed, newest_of(live)) == (["an order"], True, None)


def test_a_picture_that_is_withdrawn_or_old_is_not_shown(clock: Clock) -> None:
    live = LivePictures(clock, is_on=True)
    assert newest_of(live) is None
    live.show(LivePicture(b"one"))
    clock.seconds += OLD
    assert newest_of(live) == b"one"
    clock.seconds += 0.1
    assert newest_of(live) is None
    live.show(LivePicture(b"two"))
    live.show(LivePicture(b""))
    assert newest_of(live) is None


def test_who_waits_gets_the_next_picture_as_soon_as_it_comes() -> None:
    live = LivePictures(is_on=True)
    live.show(LivePicture(b"one"))
    first = live.after(-1, 0)
    assert first is not None
    assert live.after(first.number, 0) is None
    got: list[Any] = []
    waiting = Thread(target=lambda: got.append(live.after(first.number, 600)))
    waiting.start()
    live.show(LivePicture(b"two"))
    waiting.join(600)
    assert [each.jpeg for each in got] == [b"two"]
