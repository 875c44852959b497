"""Whose turn it is: what tables say waits in a short row for each, and each may have so much kept in a second.

A table that keeps to docs/club.md has one message of lines on its way, so that its row never fills. What finds
a full row is left out; a table of which much is left out floods, and isn't heard until it has been quiet.
"""

from collections import deque
from typing import Literal

from club.hearing import Heard

WAITING = 8
"""Messages of one table that wait; of more, the newest are left out: its table sends again what counts."""
AT_ONCE = 256  # tables whose messages go into one commit
MESSAGES, MESSAGES_SAVED = 100.0, 100.0
"""Messages of one table that are kept in a second, and at once after a pause; further ones wait."""
BYTES, BYTES_SAVED = 2_000_000.0, 8_000_000.0
"""The same in bytes: a week's outbox goes through at once, and giants don't have the hub for themselves."""
FLOOD = 300.0  # messages that were left out of a table that floods
HALF_LIFE = 10.0  # seconds after which half of what was left out is forgiven
QUIET = 60.0  # seconds after which nothing is remembered of a table that is silent


Fate = Literal["waits", "left out", "floods"]


class Account:
    """What one table may still have kept, and how much of it was left out."""

    def __init__(self, now: float) -> None:
        self._messages, self._bytes, self._left_out, self._at = MESSAGES_SAVED, BYTES_SAVED, 0.0, now

    def seconds(self, now: float) -> float:
        self._go_on(now)
        return max((1 - self._messages) / MESSAGES, -self._bytes / BYTES, 0.0)

    def spend(self, size: int) -> None:
        """Have a message kept; a large one may take more than there is, and the next one waits for it."""
        self._messages -= 1
        self._bytes -= size

    def leave_out(self, now: float) -> None:
        self._go_on(now)
        self._left_out = min(self._left_out + 1, 2 * FLOOD)

    def is_flood(self, now: float) -> bool:
        self._go_on(now)
        return self._left_out >= FLOOD

    def is_old(self, now: float) -> bool:
        return now - self._at > QUIET

    def _go_on(self, now: float) -> None:
        since = max(0.0, now - self._at)
        self._at += since
        self._messages = min(MESSAGES_SAVED, self._messages + since * MESSAGES)
        self._bytes = min(BYTES_SAVED, self._bytes + since * BYTES)
        self._left_out *= 0.5 ** (since / HALF_LIFE)


class Turns:
    """The rows of all tables; one thread at a time may use it."""

    def __init__(self) -> None:
        self._rows: dict[str, deque[Heard]] = {}
        self._accounts: dict[str, Account] = {}
        self._looked_at = 0.0

    def hear(self, heard: Heard, now: float) -> Fate:
        """Let a message wait, or leave it out; and tell once that its table floods by it."""
        account = self._account(heard.table, now)
        was_flood = account.is_flood(now)
        row = self._rows.setdefault(heard.table, deque())
        if len(row) < WAITING and not was_flood:
            row.append(heard)
            return "waits"
        account.leave_out(now)
        is_flood = account.is_flood(now)
        if is_flood:
            # nothing that a flood has said is kept any more
            self._rows.pop(heard.table, None)
        return "floods" if is_flood and not was_flood else "left out"

    def take(self, now: float) -> tuple[list[Heard], float | None]:
        """Take one message of each table that may have one kept, and say in how many seconds the next may be.

        Who has further ones goes to the end; no seconds mean that none waits.
        """
        taken, waits = list[Heard](), list[float]()
        for name in list(self._rows):
            seconds = self._account(name, now).seconds(now)
            if seconds > 0 or len(taken) >= AT_ONCE:
                waits.append(seconds)
            else:
                row = self._rows.pop(name)
                taken.append(row.popleft())
                self._account(name, now).spend(len(taken[-1].payload))
                if row:
                    self._rows[name] = row
        waits += [0.0] if any(each.table in self._rows for each in taken) else []
        if now - self._looked_at > QUIET:
            self._looked_at = now
            self._accounts = {name: each for name, each in self._accounts.items() if not each.is_old(now)}
        return taken, min(waits, default=None)

    def remembered(self) -> int:
        return len(self._accounts)

    def _account(self, name: str, now: float) -> Account:
        return self._accounts.setdefault(name, Account(now))
