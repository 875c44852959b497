"""Fair queueing: each table has a short queue and a limit of stored messages per second.

A table that follows docs/club.md has one lines message in flight, so its queue never fills. Messages for a full
queue are dropped. A table with many dropped messages floods, and is ignored until it has been quiet.
"""

from collections import deque
from typing import Literal

from club.hearing import Heard

WAITING = 8
"""Most queued messages of one table. The newest ones beyond are dropped; tables resend what matters."""
AT_ONCE = 256  # tables whose messages are stored in one commit
MESSAGES, MESSAGES_SAVED = 100.0, 100.0
"""Messages of one table stored per second, and the burst after a pause; further ones wait."""
BYTES, BYTES_SAVED = 2_000_000.0, 8_000_000.0
"""The same in bytes: a week's outbox passes at once, but large messages don't occupy the hub."""
FLOOD = 300.0  # dropped messages from which a table floods
HALF_LIFE = 10.0  # seconds after which dropped messages count half
QUIET = 60.0  # seconds after which a silent table's account is deleted


Fate = Literal["waits", "left out", "floods"]


class Account:
    """A table's remaining allowance, and its dropped messages."""

    def __init__(self, now: float) -> None:
        self._messages, self._bytes, self._left_out, self._at = MESSAGES_SAVED, BYTES_SAVED, 0.0, now

    def seconds(self, now: float) -> float:
        self._go_on(now)
        return max((1 - self._messages) / MESSAGES, -self._bytes / BYTES, 0.0)

    def spend(self, size: int) -> None:
        """Charge a message; a large one may exceed the allowance, which delays the next one."""
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
    """The queues of all tables; for one thread at a time."""

    def __init__(self) -> None:
        self._rows: dict[str, deque[Heard]] = {}
        self._accounts: dict[str, Account] = {}
        self._looked_at = 0.0

    def hear(self, message: Heard, now: float) -> Fate:
        """Queue a message or drop it. Report once when that makes its table flood."""
        account = self._account(message.table, now)
        was_flood = account.is_flood(now)
        row = self._rows.setdefault(message.table, deque())
        if len(row) < WAITING and not was_flood:
            row.append(message)
            return "waits"
        account.leave_out(now)
        is_flood = account.is_flood(now)
        if is_flood:
            # queued messages of a flooding table are discarded
            self._rows.pop(message.table, None)
        return "floods" if is_flood and not was_flood else "left out"

    def take(self, now: float) -> tuple[list[Heard], float | None]:
        """Take one message of each table within its allowance. Also return the seconds until the next one.

        Tables with more messages move to the end; None means that no message is waiting.
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
