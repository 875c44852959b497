"""The proof that a phone is at the table: what attackers who aren't there try, on both sides of each bound."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from firmware.parts.presence import (
    BUTTON_STANDS,
    CODE_STANDS,
    IN_A_ROW,
    QUIET,
    RESTS,
    Presence,
    at_time,
    seconds_to_wait,
    take_presses,
    try_code,
    with_button,
    with_code,
    with_press,
)
from tests.tiers import tiered


def in_turn() -> Callable[[], str]:
    """Draw 000000, 000001 and so on: each code is told from the one before."""
    numbers = count()
    return lambda: f"{next(numbers):06}"


def pressed(presence: Presence, *presses: tuple[int | None, float]) -> Presence:
    for seat, at in presses:
        presence = with_press(presence, seat, at)
    return presence


# a code


def test_wrong_codes_take_nothing_from_who_reads_the_right_one() -> None:
    presence = with_code(Presence(), 0, in_turn())
    for guess in range(5000):
        presence, is_right = try_code(presence, "999999", guess / 10)
        assert not is_right
    assert with_code(presence, CODE_STANDS - 1, in_turn()) == presence
    assert try_code(presence, "000000", CODE_STANDS - 1)[1]


def test_what_is_left_open_is_over_in_time() -> None:
    told = with_code(Presence(), 0, in_turn())
    assert at_time(told, CODE_STANDS - 0.1).code
    # asking again doesn't make it last
    assert with_code(told, CODE_STANDS - 0.1, in_turn()) == told
    assert not at_time(told, CODE_STANDS).code
    assert not try_code(told, told.code, CODE_STANDS)[1]
    button = with_button(Presence(), "phone", "network", 0, 2)
    assert at_time(button, BUTTON_STANDS - 0.1).seat == 2
    assert at_time(button, BUTTON_STANDS).seat is None


def test_no_code_is_right_where_none_stands() -> None:
    for said in ("", "000000", "None"):
        assert try_code(Presence(), said, 0) == (Presence(), False)
    button = with_button(Presence(), "phone", "network", 0, 2)
    assert try_code(button, "", 1) == (button, False)


# a button


def test_presses_of_a_game_end_it() -> None:
    drawn = with_button(Presence(), "phone", "network", 0, 2)
    for other in (0, 1, 3, None):
        ended = pressed(drawn, (2, 1), (2, 2), (other, 3), (2, 4))
        assert ended.seat is None
        assert not take_presses(ended, "phone", 5)[1]


def test_presses_have_to_come_in_a_row() -> None:
    drawn = with_button(Presence(), "phone", "network", 0, 2)
    assert not pressed(drawn, (2, 1), (2, 2), (2, 1 + IN_A_ROW)).is_pressed
    assert pressed(drawn, (2, 1), (2, 2), (2, 0.9 + IN_A_ROW)).is_pressed
    assert pressed(drawn, (2, 1), (2, 5), (2, 11.5), (2, 12)).is_pressed


def test_one_phone_at_a_time_and_a_network_leaves_it_to_others() -> None:
    drawn = with_button(Presence(), "phone", "network", 0, 2)
    waits = with_button(drawn, "another", "elsewhere", 1, 3)
    assert (waits.seat, waits.phone, [ask.network for ask in waits.asks]) == (2, "phone", ["elsewhere"])
    assert with_button(Presence(), "", "network", 0, 2) == Presence()
    # who let it lapse waits, under any name, and another one comes first
    over = at_time(drawn, BUTTON_STANDS)
    assert not with_button(over, "new name", "network", BUTTON_STANDS, 3).is_open
    assert seconds_to_wait(over, BUTTON_STANDS, "network") == RESTS
    assert with_button(over, "another", "elsewhere", BUTTON_STANDS, 3).phone == "another"
    assert with_button(over, "phone", "network", BUTTON_STANDS + RESTS, 3).phone == "phone"


def test_a_button_is_drawn_once_the_table_is_quiet() -> None:
    for seat in (0, None):
        busy = with_press(Presence(), seat, 0)
        assert not with_button(busy, "phone", "network", QUIET - 1, 2).is_open
        assert seconds_to_wait(busy, QUIET - 1, "network") == 1
        assert with_button(busy, "phone", "network", QUIET, 2).is_open
        # a code is told all the same
        assert with_code(busy, 1, in_turn()).code


def test_nobody_elsewhere_has_half_a_day_of_others_presses() -> None:
    """Four people press when they like, and no match runs; an attacker with fifty networks is always there."""
    rng, presence, opened = Random(8), Presence(), 0
    for second in range(0, 12 * 3600, 2):
        before = presence
        presence = with_button(presence, "attacker", f"network {second % 50}", second, rng.randrange(4))
        opened += presence.is_open and not before.is_open
        if rng.random() < 1 / 20:
            presence = with_press(presence, rng.randrange(4), second)
        presence, is_proven = take_presses(presence, "attacker", second)
        assert not is_proven
    assert opened > 100


@pytest.mark.parametrize("come", range(tiered(4, 20)))
def test_two_addresses_that_ask_all_the_time_keep_nobody_at_the_table_waiting_for_a_minute(come: int) -> None:
    presence, since = Presence(), 4 * 3600 + 37 * come
    for second in range(since + 60):
        for other in ("one", "two"):
            presence = with_button(presence, other, other, second, 1)
        if second >= since and presence.phone != "ana":
            presence = with_button(presence, "ana", "her network", second, 2)
        if presence.phone == "ana":
            presence = with_press(presence, 2, second)
            presence, is_proven = take_presses(presence, "ana", second)
            if is_proven:
                return
    raise AssertionError("she had no turn")
