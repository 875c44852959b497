"""Whether the broker still carries: a hub's session may stand still while its connection lives.

Mosquitto 2.0.11, which Debian 12 has, stops delivering to a session for good once too much was left out of its
queue, and goes on answering pings. So the hub says something to itself now and then, and begins another session
when it doesn't hear it.
"""

BEAT = 5.0
"""Seconds between two beats."""
SILENCE = 20.0
"""Seconds without hearing one, after which the session is given up."""


class Pulse:
    """When to beat, and when none was heard for too long."""

    def __init__(self, now: float) -> None:
        self._beat_at, self._heard_at = now, now

    def hear(self, now: float) -> None:
        """Hear a beat, or begin another session."""
        self._heard_at = now

    def is_due(self, now: float) -> bool:
        """Return whether to beat; once it is told, the next one is due later."""
        is_due = now - self._beat_at >= BEAT
        self._beat_at = now if is_due else self._beat_at
        return is_due

    def has_stopped(self, now: float) -> bool:
        """Return whether none was heard for too long."""
        return now - self._heard_at > SILENCE
