"""Phones that change their address to get every turn at the button, beside phones that keep theirs."""

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from firmware.services import presence as proof

STRANGER = "stranger"
LATE = 10  # seconds by which people are later than the page says


class Attack(Struct, frozen=True):
    """How a stranger's phone takes addresses: the one of each second, and how many keep asking."""

    name: str
    address: Callable[[int], str]
    count: int


def _new_address(second: int) -> str:
    return f"10.{second >> 16}.{second >> 8 & 255}.{second & 255}"


def _cycled(count: int) -> Attack:
    return Attack(f"{count} addresses in turn", lambda second: f"192.0.2.{second % count}", count)


ATTACKS = (
    Attack("a new address every second", _new_address, 0),
    *map(_cycled, (30, 80)),
    # each asks again after its place was dropped
    Attack("250 addresses in turn", _cycled(250).address, 0),
)


def longest_wait(attack: Attack, before: int) -> float:
    """Give the seconds within which a newcomer has its turn, with so many honest newcomers before it."""
    own = 2 * proof.MAX_ASK_INTERVAL + LATE
    return proof.DRAW_LIFETIME + proof.PLACE_LIFETIME + (attack.count + before) * proof.FIRST_INTERVAL + own


class Turns(Struct):
    """Turns at the button in some hours, by phone, and when each phone had its first, in seconds."""

    turns: Counter[str]
    first: dict[str, int]


def turns_under(attack: Attack, comes: dict[str, int], seconds: int) -> Turns:
    """Let phones come at their times, each from its own address, while a stranger's asks every second first.

    Nobody presses a button. A phone asks again when the page says so, a little late, for as long as it lasts.
    """
    presence, told, asks = proof.Presence(), Turns(Counter(), {}), dict(comes)
    for second in range(seconds):
        now = float(second)
        due = [phone for phone, at in asks.items() if at == second]
        for phone, network in ((STRANGER, attack.address(second)), *((phone, phone) for phone in due)):
            was_open = proof.at_time(presence, now).is_open
            presence = proof.with_button(presence, phone, network, now, 0)
            if presence.is_open and not was_open:
                told.turns[phone] += 1
                told.first.setdefault(phone, second - comes.get(phone, 0))
            if phone != STRANGER:
                asks[phone] = second + LATE + proof.seconds_to_ask_again(presence, now, network)
    return told
