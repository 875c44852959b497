"""The proof that a phone is at the table: remote attacks at both sides of each limit."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

from firmware.services import presence as proof
from tests.firmware.services.changing_phones import ATTACKS, STRANGER, Attack, longest_wait, turns_under
from tests.tiers import tiered


def in_turn() -> Callable[[], str]:
    """Draw 000000, 000001 and so on, so that codes differ."""
    numbers = count()
    return lambda: f"{next(numbers):06}"


def pressed(presence: proof.Presence, *presses: tuple[int | None, float]) -> proof.Presence:
    for seat, at in presses:
        presence = proof.with_press(presence, seat, at)
    return presence


def test_wrong_codes_do_not_hinder_correct_reader() -> None:
    presence = proof.with_code(proof.Presence(), 0, in_turn())
    for guess in range(5000):
        presence, is_right = proof.try_code(presence, "999999", guess / 10)
        assert not is_right
    assert proof.with_code(presence, proof.CODE_LIFETIME - 1, in_turn()) == presence
    assert proof.try_code(presence, "000000", proof.CODE_LIFETIME - 1)[1]


def test_unfinished_proof_expires() -> None:
    told = proof.with_code(proof.Presence(), 0, in_turn())
    assert proof.at_time(told, proof.CODE_LIFETIME - 0.1).code
    # asking again doesn't extend it
    assert proof.with_code(told, proof.CODE_LIFETIME - 0.1, in_turn()) == told
    assert not proof.at_time(told, proof.CODE_LIFETIME).code
    assert not proof.try_code(told, told.code, proof.CODE_LIFETIME)[1]
    assert proof.at_time(DRAWN, proof.DRAW_LIFETIME - 0.1).seat == 2
    assert proof.at_time(DRAWN, proof.DRAW_LIFETIME).seat is None


DRAWN = proof.with_button(proof.Presence(), "phone", "network", 0, 2)
"""A phone that must press the button of seat 3."""


def test_no_code_is_accepted_without_a_proof() -> None:
    for said in ("", "000000", "None"):
        assert proof.try_code(proof.Presence(), said, 0) == (proof.Presence(), False)
    assert proof.try_code(DRAWN, "", 1) == (DRAWN, False)


def test_game_presses_end_proof() -> None:
    for other in (0, 1, 3, None):
        ended = pressed(DRAWN, (2, 1), (2, 2), (other, 3), (2, 4))
        assert ended.seat is None
        assert not proof.take_presses(ended, "phone", 5)[1]


def test_presses_must_be_consecutive() -> None:
    assert not pressed(DRAWN, (2, 1), (2, 2), (2, 1 + proof.PRESS_WINDOW)).is_pressed
    assert pressed(DRAWN, (2, 1), (2, 2), (2, 0.9 + proof.PRESS_WINDOW)).is_pressed
    assert pressed(DRAWN, (2, 1), (2, 5), (2, 11.5), (2, 12)).is_pressed
    three = pressed(DRAWN, (2, 1), (2, 2), (2, 3))
    assert [proof.take_presses(three, phone, 4)[1] for phone in ("phone", "another")] == [True, False]


def test_one_phone_at_a_time_then_next_network() -> None:
    waits = proof.with_button(DRAWN, "another", "elsewhere", 1, 3)
    assert (waits.seat, waits.phone, [place.network for place in waits.queue]) == (2, "phone", ["elsewhere"])
    assert proof.with_button(proof.Presence(), "", "network", 0, 2) == proof.Presence()
    # an expired phone waits, under any name, and another one goes first
    over = proof.at_time(DRAWN, proof.DRAW_LIFETIME)
    assert not proof.with_button(over, "new name", "network", proof.DRAW_LIFETIME, 3).is_open
    assert proof.seconds_to_wait(over, proof.DRAW_LIFETIME, "network") == proof.CLAIM_COOLDOWN
    assert proof.with_button(over, "another", "elsewhere", proof.DRAW_LIFETIME, 3).phone == "another"
    later = proof.DRAW_LIFETIME + proof.CLAIM_COOLDOWN
    assert proof.with_button(over, "phone", "network", later, 3).phone == "phone"


def test_button_is_drawn_once_table_is_quiet() -> None:
    for seat in (0, None):
        busy = proof.with_press(proof.Presence(), seat, 0)
        assert not proof.with_button(busy, "phone", "network", proof.QUIET_TIME - 1, 2).is_open
        assert proof.seconds_to_wait(busy, proof.QUIET_TIME - 1, "network") == 1
        assert proof.with_button(busy, "phone", "network", proof.QUIET_TIME, 2).is_open
        # a code is issued nevertheless
        assert proof.with_code(busy, 1, in_turn()).code


def test_random_presses_admit_no_remote_phone() -> None:
    """Four people press at random without a match; an attacker with fifty networks always asks."""
    rng, presence, opened = Random(8), proof.Presence(), 0
    for second in range(0, tiered(2, 12) * 3600, 2):
        before = presence
        presence = proof.with_button(presence, "attacker", f"network {second % 50}", second, rng.randrange(4))
        opened += presence.is_open and not before.is_open
        if rng.random() < 1 / 20:
            presence = proof.with_press(presence, rng.randrange(4), second)
        presence, is_proven = proof.take_presses(presence, "attacker", second)
        assert not is_proven
    assert opened > tiered(15, 100)


@pytest.mark.parametrize("attack", tiered(ATTACKS[:2], ATTACKS), ids=lambda attack: attack.name)
def test_changing_address_starves_no_newcomer(attack: Attack) -> None:
    comes, hours = {"ana": 1800, "bo": 1807}, tiered(1, 3)
    turns = turns_under(attack, comes, hours * 3600)
    for place, phone in enumerate(comes):
        assert turns.first[phone] <= longest_wait(attack, place)
    assert turns.turns[STRANGER] < hours * 60


def test_newcomers_are_served_in_order_of_arrival() -> None:
    presence, served = proof.with_button(proof.Presence(), "first", "first", 0, 1), list[str]()
    for second in range(1, 600):
        # the latest asks first
        for phone in ("fourth", "third", "second"):
            if second >= {"second": 5, "third": 10, "fourth": 15}[phone]:
                presence = proof.with_button(presence, phone, phone, second, 1)
        served += [] if presence.phone in {"", *served} else [presence.phone]
    assert served[:4] == ["first", "second", "third", "fourth"]


def test_stream_of_newcomers_leaves_time_to_others() -> None:
    """Newcomers ask one after another, each until its turn; a phone that had a turn asks, too."""
    presence, number, drawn = proof.Presence(), 0, dict[str, int]()
    for second in range(2 * 3600):
        before = presence
        for phone in (f"newcomer {number}", "ana"):
            presence = proof.with_button(presence, phone, phone, second, 1)
        if presence.draws[-1:] != before.draws[-1:]:
            drawn[presence.phone] = drawn.get(presence.phone, 0) + 1
            number += presence.phone != "ana"
    newcomers = sum(count for phone, count in drawn.items() if phone != "ana")
    assert newcomers <= 2 * (proof.FIRST_DRAWS + proof.HOUR / proof.FIRST_INTERVAL)
    assert drawn["ana"] >= 2 * proof.MAX_DRAWS - 2


def test_phone_that_had_its_turn_gets_few_more_in_an_hour() -> None:
    presence, turns = proof.Presence(), 0
    for second in range(int(proof.HOUR)):
        was_open = proof.at_time(presence, second).is_open
        presence = proof.with_button(presence, "ana", "her network", second, 1)
        turns += presence.is_open and not was_open
    assert turns == 1 + proof.MAX_DRAWS


def test_queue_place_needs_asking_and_full_queue_rejects() -> None:
    queue = tuple(proof.Place(f"network {number}", 1, 1) for number in range(proof.MAX_PLACES))
    presence = replace(DRAWN, queue=queue)
    assert proof.with_button(presence, "phone", "one more", 1, 1).queue == queue
    again = proof.with_button(presence, "phone", "network 0", 40, 1)
    assert (again.queue[0].since, again.queue[0].asked) == (1, 40)
    assert [place.network for place in proof.at_time(again, 1 + proof.PLACE_LIFETIME).queue] == ["network 0"]
