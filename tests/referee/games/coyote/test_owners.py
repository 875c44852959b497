"""Owners of cards: known per card, reported once, and never used by rulings."""

import pytest

from referee.match import Correct, hear
from referee.showing import board_of
from referee.verdicts import may_be_of, reveal_of, say_whose
from tests.given import allowed, present
from tests.referee.games.coyote.script import play

Owners = tuple[int | None, ...]


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ((0, 1, 2), (0, 1, 2)),
        ((2, None, None), (2, None, None)),
        # the last player owns the last card
        ((2, None, 0), (2, 1, 0)),
        # a player wore one card: of two, the right one is unknown
        ((1, 1, 2), (None, None, 2)),
        ((7, None, None), ()),
        ((None, None, None), ()),
        ((), ()),
    ],
)
def test_each_card_has_its_own_owner(told: Owners, known: Owners) -> None:
    script = play("10 22 coyote", 3).shows("20 5 -5", told)
    assert script.match.state.revealed.owners == known
    unowned = play("10 22 coyote", 3).shows("20 5 -5")
    assert (script.match.rulings, script.match.asks) == (unowned.match.rulings, unowned.match.asks)


def test_scene_and_count_show_owners() -> None:
    """The cave draws a 3 as well: the worn one has an owner, the drawn one has none."""
    script = play("10 22 coyote", 4).shows("? 3 max0 10", (3, 0, None, 2)).shows("3")
    reveal = present(reveal_of(script.match))
    (row,) = reveal.rows
    assert row.faces == ("?", "max0", "10", "3", "3")
    assert [note.seat for note in row.notes] == [3, 1, 2, 0, None]
    assert row in board_of(script.match).cards


@pytest.mark.parametrize(
    ("before", "owners", "known", "named"),
    [
        ((), (2, None, None), (2, None, None), [(2, "20")]),
        ((2, None, None), (2, 0, None), (2, 0, 1), [(0, "5")]),
        ((2, 0, 1), (2, 1, 0), (2, 1, 0), [(1, "5"), (0, "-5")]),
        ((2, 2, 1), (None, 2, 0), (1, 2, 0), [(0, "-5")]),
        ((2, 0, 1), (), (), []),
        ((2, 0, 1), (None, None, None), (), []),
    ],
)
def test_correction_names_each_new_owner_and_changes_no_ruling(
    before: Owners, owners: Owners, known: Owners, named: list[tuple[int, str]]
) -> None:
    match = play("10 22 coyote", 3).shows("20 5 -5", before).match
    after = allowed(hear(match, Correct(match.number, 4, ("20", "5", "-5"), owners)))
    assert after.state.revealed.owners == known
    told = [(each.values["seat"], each.values["card"]) for each in after.rulings if each.key == "was-of"]
    assert (told, after.position.rulings) == (named, match.position.rulings)


@pytest.mark.parametrize(
    ("owners", "claimable"),
    [
        ((None, None, 2), {0: ("20", "5"), 1: ("20", "5"), 2: ()}),
        ((0, None, 2), {0: (), 1: (), 2: ()}),
        ((1, 1, 2), {0: ("20", "5"), 1: ("20", "5"), 2: ()}),
        ((), {0: ("20", "5", "-5"), 1: ("20", "5", "-5"), 2: ("20", "5", "-5")}),
    ],
)
def test_player_may_claim_an_unowned_card(owners: Owners, claimable: dict[int, tuple[str, ...]]) -> None:
    match = play("10 22 coyote", 3).shows("20 5 -5", owners).match
    assert {seat: may_be_of(match, seat) for seat in range(3)} == claimable
    for seat, cards in claimable.items():
        assert say_whose(match, seat, "10") is None
        for card in cards:
            after = allowed(hear(match, said)) if (said := say_whose(match, seat, card)) else match
            assert dict(zip(after.state.revealed.cards, after.state.revealed.owners, strict=True))[card] == seat
            assert after.position.rulings == match.position.rulings
