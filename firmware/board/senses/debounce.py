"""From a bouncing contact to presses and releases, by the stamps of the edges alone.

A press counts at its first edge, at once, however short it is. It is over when the contact has been open and
still for a while, so nothing counts twice: neither bounce nor a finger that trembles. No clock is read here:
time is the stamp of the next edge, or what `settled` is told.
"""

from msgspec import Struct

STILL = 0.025
"""Seconds without an edge after which an open contact is at rest; the worst ones bounce for 20 ms."""
LATE = 0.05
"""Seconds by which an edge may be heard late, when the machine is busy."""


class Contact(Struct, frozen=True, gc=False):
    """A contact: what it counts as, what it showed last, and since when."""

    is_down: bool = False
    shows_down: bool = False
    since: float = 0.0


class ContactChange(Struct, frozen=True, gc=False):
    """A contact that went down or up, with the stamp that counts."""

    is_down: bool
    at: float


def hear_edge(contact: Contact, at: float, *, is_down: bool) -> tuple[Contact, tuple[ContactChange, ...]]:
    """Hear an edge: what it leaves of the contact, and what is known by it."""
    contact, over = settle_contact(contact, at)
    pressed = (ContactChange(is_down=True, at=at),) if is_down and not contact.is_down else ()
    return Contact(contact.is_down or is_down, is_down, at), over + pressed


def settle_contact(contact: Contact, now: float) -> tuple[Contact, tuple[ContactChange, ...]]:
    """See whether a press is over, once no edge that was stamped before now can come any more."""
    over = due(contact)
    if over is None or now < over:
        return contact, ()
    return Contact(since=contact.since), (ContactChange(is_down=False, at=contact.since),)


def due(contact: Contact) -> float | None:
    """Tell when to look again, if no edge comes before."""
    return contact.since + STILL if contact.is_down and not contact.shows_down else None
