"""Phones that change their address to get every turn at the button, and honest phones."""

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from firmware.services import presence as proof

STRANGER = "stranger"
LATENESS = 10  # seconds by which people miss the time shown on the page


class Attack(Struct, frozen=True):
    """An attack: the phone's address in each second, and the number of addresses that keep asking."""

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
    """Return the maximum seconds until a newcomer's turn, with `before` honest newcomers ahead."""
    own = 2 * proof.MAX_ASK_INTERVAL + LATENESS
    return proof.DRAW_LIFETIME + proof.PLACE_LIFETIME + (attack.count + before) * proof.FIRST_INTERVAL + own


class Turns(Struct):
    """Turns at the button, by phone, and the second of each phone's first turn."""

    turns: Counter[str]
    first: dict[str, int]


def turns_under(attack: Attack, comes: dict[str, int], seconds: int) -> Turns:
    """Let phones arrive, each with its own address, while the attacker asks first in every second.

    Nobody presses a button. Each phone asks again, a little later than the page requests, until the end.
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
                asks[phone] = second + LATENESS + proof.seconds_to_ask_again(presence, now, network)
    return told
