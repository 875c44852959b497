"""Tells people if the cards on the table are another deck's: looked for in a process of its own, and seldom.

The eyes say when several cards stay without a name, once for each time that this changes, and when it is over.
"""

from collections.abc import Callable
from io import BytesIO
from queue import SimpleQueue
from threading import Thread

import msgspec
from msgspec import Struct

from firmware.parts.reader_process import run_reader
from firmware.table.door import TroubleReport
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from vision.process.messages import UnnamedCards, UnnamedCardsGone

NAME = "other deck"
"""The name of this trouble among those that last."""
SECONDS = 90.0
"""Seconds that reading a picture by every deck may take."""
FromEyes = EyesNews | EyesStarted | EyesGone


class OtherDeckQuestion(Struct, frozen=True):
    """Which deck is read; the picture is the process's input."""

    deck: str


class OtherDeckAnswer(Struct, frozen=True):
    """The deck that the cards look like, if any."""

    other: str | None


class OtherDecks:
    """Stands between the eyes and the loop: what is said of cards without names is dealt with here."""

    def __init__(
        self, put: Callable[[FromEyes | TroubleReport], None], process: str, seconds: float = SECONDS
    ) -> None:
        """Take the loop's queue and the module that reads; the thread sleeps until it is needed."""
        self._put, self._process, self._seconds = put, process, seconds
        self._pictures: SimpleQueue[UnnamedCards | None] = SimpleQueue()
        self._latest: UnnamedCards | None = None
        Thread(target=self._run, name="other decks", daemon=True).start()

    def pass_on(self, item: FromEyes) -> None:
        """Pass on what the eyes tell, except what is said of cards without names."""
        news = item.news if isinstance(item, EyesNews) else None
        if isinstance(news, UnnamedCards):
            self._latest = news
            self._pictures.put(news)
            return
        if isinstance(news, UnnamedCardsGone) or isinstance(item, EyesStarted):
            self._latest = None
            self._put(TroubleReport(NAME, None))
        if not isinstance(news, UnnamedCardsGone):
            self._put(item)

    def _run(self) -> None:
        while (shown := self._pictures.get()) is not None:
            # of several that have waited, only the last one is of the table as it is
            if shown is not self._latest:
                continue
            other = self._ask(shown)
            if shown is self._latest:
                notice = None if other is None else Notice(NAME, {"other": other, "deck": shown.deck})
                self._put(TroubleReport(NAME, notice))

    def _ask(self, shown: UnnamedCards) -> str | None:
        question = msgspec.json.encode(OtherDeckQuestion(shown.deck)).decode()
        said = run_reader(self._process, question, BytesIO(shown.jpeg), self._seconds)
        try:
            return msgspec.msgpack.decode(said or b"", type=OtherDeckAnswer).other
        except msgspec.DecodeError:
            return None
