"""Cards that fall one after another: each is the next seat's; what goes wrong is said, and the game goes on."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from firmware.board.voices.lights import lights
from firmware.board.voices.patterns import TOOK
from firmware.core.cards import answer_from_cards, show_ask
from firmware.core.expected_cards import expected_cards
from firmware.core.notices import Notice
from firmware.core.table import (
    PATIENCE,
    OrderEyes,
    SayNotice,
    TableState,
    Write,
    at_start,
    handle_kept,
    handle_sighting,
    pass_time,
)
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings, step
from hardware.twin.dealer import lay_honestly as fair
from referee.contract import CENTRE, DISCARD, Answer, Refusal, Show
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Match, Setup, begin, hear
from tests.firmware.core.placed import card, see_laid, see_table, see_taken
from vision.process.messages import ReadTable
from vision.table.zones import PlacedCard

PLAYERS = ("Ana", "Bo", "Eve", "Jo")


def deal_in_play(seed: int = 1, cards: int = 0) -> DealtMatch:
    """Play a deal until so many cards of a trick lie there, with the cards where they really are."""
    match = begin(Setup(COUP_D_ETAT, COUP_D_ETAT.house(), PLAYERS))
    assert isinstance(match, Match)
    rng = Random(seed)
    at = deal_match(match, rng)
    while not (_is_trick(at.match) and sum(expected_cards(at.match, CENTRE).values()) == cards):
        after = hear(at.match, answer_of(at, rng))
        assert isinstance(after, Match)
        at = DealtMatch(after, follow_rulings(at.truth, after, rng))
    return at


def _is_trick(match: Match) -> bool:
    return any(isinstance(ask, Show) and ask.key == "card" for ask in match.asks)


def next_cards(at: DealtMatch, count: int) -> list[str]:
    """Give the next cards that fair players lay to the trick."""
    faces: list[str] = []
    for _card in range(count):
        ask = next(ask for ask in at.match.asks if isinstance(ask, Show))
        (face,), _owners = fair(at, ask)
        faces.append(face)
        after = hear(at.match, Answer(at.match.number, ask.key, (face,), None, "camera"))
        assert isinstance(after, Match)
        at = DealtMatch(after, follow_rulings(at.truth, after, Random(0)))
    return faces


def near(each: PlacedCard, *seats: int) -> PlacedCard:
    """Lay a card near to a seat."""
    return replace(each, near=("proof", *(f"seat {seat + 1}" for seat in seats)))


def sit_down(at: DealtMatch, *there: PlacedCard) -> TableState:
    """Sit down where cards of a trick lie."""
    return handle_sighting(at_start(at.match, 1, 0.0)[0], see_table(*there), 1.0)[0]


def on_table(at: DealtMatch) -> list[PlacedCard]:
    return [card(face, place) for place, face in enumerate(expected_cards(at.match, CENTRE))]


def look_at_cards(table: TableState, cards: Sequence[PlacedCard]) -> tuple[TableState, tuple[object, ...]]:
    """Let the eyes look at all that lies there, and once more if they are asked to."""
    table, deeds = handle_sighting(
        table, see_table(*cards, asked=f"moment {table.match.number}", reading=9), 2.0
    )
    if any(isinstance(deed, OrderEyes) and isinstance(deed.order, ReadTable) for deed in deeds):
        table, deeds = handle_sighting(
            table, see_table(*cards, asked=f"moment {table.match.number}", reading=10), 2.0
        )
    return table, deeds


def answer_entered(deeds: Sequence[object]) -> Answer | None:
    entries = [deed.after.entry for deed in deeds if isinstance(deed, Write)]
    return entries[0] if entries and isinstance(entries[0], Answer) else None


def notices_in_time(table: TableState) -> list[object]:
    return [deed.notice for deed in pass_time(table, 2.0 + PATIENCE + 1)[1] if isinstance(deed, SayNotice)]


def test_what_should_lie_there_is_the_trick_that_is_open() -> None:
    at = deal_in_play(cards=2)
    trick = at.match.setup.game.view(at.match.state, None)
    assert sorted(expected_cards(at.match, CENTRE)) == sorted(trick.cards)  # type: ignore[attr-defined]
    assert not expected_cards(deal_in_play(cards=0).match, CENTRE)


def test_after_a_start_in_the_middle_of_a_trick_only_the_next_card_counts() -> None:
    at = deal_in_play(cards=2)
    table = sit_down(at, *on_table(at))
    assert table.way is None
    (face,) = next_cards(at, 1)
    new = card(face, 5)
    table, deeds = handle_sighting(table, see_laid(new, reading=2), 2.0)
    assert any(isinstance(deed, OrderEyes) and isinstance(deed.order, ReadTable) for deed in deeds)
    _table, deeds = look_at_cards(table, (*on_table(at), new))
    said = answer_entered(deeds)
    assert said is not None
    assert said.value == (face,)


def test_of_two_cards_the_one_that_was_first_counts_and_then_the_other() -> None:
    at = deal_in_play(cards=1)
    first, second = (card(face, 4 + place) for place, face in enumerate(next_cards(at, 2)))
    table = sit_down(at, *on_table(at))
    for reading, each in ((2, first), (3, second)):
        table = handle_sighting(table, see_laid(each, reading), 2.0)[0]
    lying = (second, *on_table(at), first)
    table, deeds = look_at_cards(table, lying)
    said = answer_entered(deeds)
    assert said is not None
    assert said.value == (first.card.face,)
    table, deeds = handle_kept(table, 1, 3.0)
    assert any(isinstance(deed, OrderEyes) and isinstance(deed.order, ReadTable) for deed in deeds)
    said = answer_entered(look_at_cards(table, lying)[1])
    assert said is not None
    assert said.value == (second.card.face,)


@pytest.mark.parametrize("is_clear", [True, False], ids=["places tell", "places don't tell"])
def test_two_cards_at_once_are_told_apart_by_where_they_lie(is_clear: bool) -> None:
    at = deal_in_play(cards=0)
    (ask,) = (ask for ask in at.match.asks if isinstance(ask, Show))
    (seat,) = ask.seats
    faces = next_cards(at, 2)
    other = (seat + 1) % 4
    both = (
        near(card(faces[1], 4), other if is_clear else seat, (seat + 2) % 4),
        near(card(faces[0], 5), seat, other),
    )
    table = sit_down(at)
    for each in both:
        table = handle_sighting(table, see_laid(each, 2), 2.0)[0]
    table, deeds = look_at_cards(table, both)
    said = answer_entered(deeds)
    if is_clear:
        assert said is not None
        assert said.value == (faces[0],)
    else:
        assert said is None
        assert notices_in_time(table) == [Notice("at once", {"cards": f"{faces[1]} {faces[0]}", "seat": seat})]
        table = handle_sighting(table, see_taken(both[0], 3), 3.0)[0]
        said = answer_entered(look_at_cards(table, both[1:])[1])
        assert said is not None
        assert said.value == (faces[0],)


def test_a_trick_that_is_swept_too_early_is_said_and_the_game_goes_on() -> None:
    at = deal_in_play(cards=2)
    there = on_table(at)
    table = sit_down(at, *there)
    for each in there:
        table = handle_sighting(table, see_taken(each, 2), 2.0)[0]
    seat = next(ask for ask in at.match.asks if isinstance(ask, Show)).seats[0]
    (notice,) = notices_in_time(table)
    assert isinstance(notice, Notice)
    assert (notice.key, notice.values["seat"]) == ("swept", seat)
    new = card(next_cards(at, 1)[0], 5)
    table = handle_sighting(table, see_laid(new, 3), 3.0)[0]
    assert answer_entered(look_at_cards(table, (new,))[1]) is not None


def test_discards_that_others_cover_are_not_missed() -> None:
    match = begin(Setup(PLENTY_COUPS, PLENTY_COUPS.house(), PLAYERS))
    assert isinstance(match, Match)
    rng = Random(1)
    at = deal_match(match, rng)
    while (ask := show_ask(at.match)) is None or ask.zone != DISCARD or not expected_cards(at.match, DISCARD):
        after = step(at, rng)
        assert isinstance(after, DealtMatch)
        at = after
    assert answer_from_cards(at.match, ask, ()) is None


def test_a_card_that_was_played_before_is_refused_by_name() -> None:
    at = deal_in_play(cards=1)
    there = on_table(at)
    table = sit_down(at, *there)
    old = card(there[0].card.face, 6)
    table = handle_sighting(table, see_laid(old, 2), 2.0)[0]
    (notice,) = notices_in_time(table)
    assert isinstance(notice, Notice)
    assert isinstance(notice.refusal, Refusal)


def test_the_lamp_of_the_player_who_takes_the_trick_tells_it() -> None:
    at = deal_in_play(cards=3)
    (ask,) = (ask for ask in at.match.asks if isinstance(ask, Show))
    after = hear(at.match, Answer(at.match.number, ask.key, tuple(next_cards(at, 1)), None, "camera"))
    assert isinstance(after, Match)
    (winner,) = {ruling.values["seat"] for ruling in after.rulings if ruling.key == "trick"}
    assert [seat for seat, pattern in enumerate(lights(after).seats) if pattern.beats == TOOK.beats] == [winner]
