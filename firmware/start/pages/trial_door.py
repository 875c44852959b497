"""What bots make of a what-if, for the pages: by a process of its own, one at a time, and not too often."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import msgspec

from firmware.start.pages.own_process import clean_lines, run_module
from firmware.start.trial_process import TrialRequest
from firmware.twin.table_view import BotStrength
from webui.access.attempt_limits import AttemptLimit
from webui.doors.trials import Refused, TriedOut

PROCESS = "firmware.start.trial_process"
PATIENCE = 240.0
"""Seconds after which it is ended: what it does is bounded, but gives way to all else, and is slow to begin."""
EACH, ALL = 4, 6
"""What one address and all of them may have tried out within a minute."""
REMEMBERED = 32
"""Answers that are kept in memory: they are short."""


class Trials:
    """Lets bots play on from branches."""

    def __init__(self) -> None:
        """Begin with nothing tried out."""
        self._lock, self._limit = Lock(), AttemptLimit(each=EACH, most=ALL)
        self._known: OrderedDict[TrialRequest, bytes] = OrderedDict()

    def try_out(
        self, record: Sequence[str], at: int, said: str, strength: BotStrength, who: str
    ) -> TriedOut | Refused:
        """Play on again and again; the same question has the same answer."""
        wish = TrialRequest("tries", tuple(record), at, said, strength)
        told = self._known.get(wish) or self._ask(wish, who)
        if isinstance(told, str):
            return told
        self._known[wish] = told
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return msgspec.json.decode(told, type=TriedOut)

    def play_out(
        self, record: Sequence[str], at: int, said: str, strength: BotStrength, who: str
    ) -> str | Refused:
        """Play on once, each time in another way."""
        told = self._ask(TrialRequest("play", tuple(record), at, said, strength), who)
        return told if isinstance(told, str) else told.decode()

    def _ask(self, wish: TrialRequest, who: str) -> bytes | Refused:
        """Let the process answer, if none is running and it wasn't asked too often."""
        if not self._lock.acquire(blocking=False):
            return "busy"
        try:
            return (_run(wish) or "failed") if self._limit.may_try(who) else "often"
        finally:
            self._lock.release()


def _run(wish: TrialRequest) -> bytes:
    asked = msgspec.json.encode(msgspec.structs.replace(wish, record=clean_lines(wish.record)))
    return run_module(PROCESS, given=asked, patience=PATIENCE)
