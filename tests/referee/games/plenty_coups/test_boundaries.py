"""Both sides of each boundary that the book of Plenty Coups draws, as far as no other test stands there."""

from typing import Any

import pytest

from referee.contract import Answer, Option, Refusal, hand_of
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.house import House
from referee.games.plenty_coups.score import ranks
from referee.games.plenty_coups.state import Acting, Raid, Turn
from referee.match import Match, Setup, begin, hear
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state

BLACK, YELLOW, GREEN, RED = range(4)


def why(script: Script, word: str, target: int | None = None) -> object:
    """Say why the clan in turn can't do something."""
    asked = script.ask("action")
    answer = Answer(script.match.number, asked.key, Option(word, seat=target), asked.seats[0])
    refused = hear(script.match, answer)
    assert isinstance(refused, Refusal), refused
    return refused.values.get("why")


HAND = ("horse", "horse", "staff")
THREE, FOUR, FIVE, SIX = (
    Raid(YELLOW, BLACK, riders, strength)
    for riders, strength in (
        (("green-3",), 3), (("yellow-3",), 4), (("green-1", "green-4"), 5), (("green-2", "green-4"), 6)
    )
)  # fmt: skip
ALLIES = {BLACK: {"bond": "yellow-3"}, YELLOW: {"bond": "black-3"}}
"""Raids of yellow before black's camp; the two as allies."""


def position(players: int, clans: dict[int, dict[str, Any]], state: dict[str, Any], **house: Any) -> Script:
    """Sit in black's turn, with some changes."""
    script = with_state(table(players, **house), **state)
    for seat, changes in clans.items():
        script = with_clan(script, seat, **changes)
    return script


def known(*cards: str) -> dict[int, dict[str, Any]]:
    """Let all know black's hand."""
    return {BLACK: {"known": (*cards, *HAND)[:5], "cards": 5}}


def out(raids: int) -> dict[str, Any]:
    """Let black have so many raids under way."""
    return {"raids": tuple(Raid(BLACK, seat, ("blue-1",), 1) for seat in range(1, 1 + raids))}


CONDITIONS: list[tuple[int, dict[int, dict[str, Any]], dict[str, Any], str, int | None, str | None]] = [
    # weapons of exactly the raid's strength repel it
    (4, known("weapon-2", "staff"), {"raids": (THREE,)}, "defend", None, "no-weapon"),
    (4, known("weapon-3", "staff"), {"raids": (THREE,)}, "defend", None, None),
    (4, known("weapon-2", "weapon-3"), {"raids": (FIVE,)}, "double-defend", None, None),
    (4, known("weapon-2", "weapon-2"), {"raids": (FIVE,)}, "double-defend", None, "no-weapon"),
    (4, known("weapon-3", "weapon-3"), {"raids": (SIX,)}, "double-defend", None, None),
    (4, known("weapon-2", "weapon-3"), {"raids": (SIX,)}, "double-defend", None, "no-weapon"),
    # a raid needs a marker that isn't out
    (6, {}, out(4), "raid", 5, "no-markers"),
    (6, {}, out(3), "raid", 5, None),
    (6, {BLACK: {"feats": 4}}, {}, "raid", 5, None),
    # two horses are given to a herd no larger
    (4, {BLACK: {"herd": 2}, YELLOW: {"herd": 2}}, {}, "donate", YELLOW, None),
    (4, {BLACK: {"herd": 2}, YELLOW: {"herd": 3}}, {}, "donate", YELLOW, "larger-herd"),
    (4, {BLACK: {"herd": 1}, YELLOW: {"herd": 1}}, {}, "donate", YELLOW, "too-few-horses"),
    # a gift needs two cards here and one there, a free gift one of each
    (4, {BLACK: {"cards": 2}, YELLOW: {"cards": 1}}, {}, "gift", YELLOW, None),
    (4, {BLACK: {"cards": 1}, YELLOW: {"cards": 1}}, {}, "gift", YELLOW, "too-few-cards"),
    (4, {BLACK: {"cards": 2}, YELLOW: {"cards": 0}}, {}, "gift", YELLOW, "empty-hand"),
    (
        4,
        {BLACK: {"cards": 1, **ALLIES[BLACK]}, YELLOW: {"cards": 1, **ALLIES[YELLOW]}},
        {},
        "ally-gift",
        YELLOW,
        None,
    ),
    (
        4,
        {BLACK: {"cards": 1, **ALLIES[BLACK]}, YELLOW: {"cards": 0, **ALLIES[YELLOW]}},
        {},
        "ally-gift",
        YELLOW,
        "empty-hand",
    ),
    (4, {}, {}, "ally-gift", YELLOW, "no-ally"),
    (4, ALLIES, {}, "ally-gift", GREEN, "not-ally"),
    # winter begins with round ten; with one action two weapons repel in that round only
    (4, {}, {"round": 9}, "double-raid", YELLOW, None),
    (4, {}, {"round": 10, "stage": Acting(Turn(BLACK, 1))}, "double-raid", YELLOW, "one-action-in-winter"),
    (4, {}, {"round": 9}, "taunt", YELLOW, None),
    (4, {}, {"round": 10}, "taunt", YELLOW, "no-taunts-in-winter"),
    *(
        (4, {}, {"raids": (THREE,), "round": rnd, "stage": Acting(Turn(BLACK, 1))}, "double-defend", None, why)
        for rnd, why in ((9, "takes-two-actions"), (10, None), (11, "takes-two-actions"))
    ),
    # a clan is taunted again once its turn has come; nothing is done to one's own
    (4, {YELLOW: {"is_taunted": True}}, {}, "taunt", YELLOW, "taunted-already"),
    (4, {YELLOW: {"is_taunted": False}}, {}, "taunt", YELLOW, None),
    *(
        (4, {}, {}, word, BLACK, "not-yourself")
        for word in ("raid", "double-raid", "gift", "propose", "taunt", "donate")
    ),
    *((4, {}, {}, word, RED, None) for word in ("raid", "double-raid", "gift", "propose", "taunt", "donate")),
]


@on_both_sides_of("defend", "raid", "donate", "gift", "ally-gift", "winter", "winter-weapons", "taunted-once")
@on_both_sides_of("another-clan")
@pytest.mark.parametrize(("players", "clans", "state", "word", "target", "reason"), CONDITIONS)
def test_what_may_be_done_and_why_not(
    players: int,
    clans: dict[int, dict[str, Any]],
    state: dict[str, Any],
    word: str,
    target: int | None,
    reason: str | None,
) -> None:
    script = position(players, clans, state)
    assert (target in script.targets(word)) == (reason is None)
    assert reason is None or why(script, word, target) == reason


@on_both_sides_of("winter-hunt/closed", "winter-hunt/open")
@pytest.mark.parametrize(("rnd", "is_open"), [(10, True), (11, False), (12, False)])
def test_by_a_house_rule_nobody_hunts_once_no_cards_are_taken(rnd: int, is_open: bool) -> None:
    script = table(4, rnd=rnd, winter_hunt=False)
    assert (script.targets("hunt") == [None]) == is_open
    assert is_open or why(script, "hunt") == "no-hunt-in-winter"
    assert is_open or script.does("turn-over").ruling("turn-over")["cards"] == 5
    assert table(4, rnd=rnd).targets("hunt") == [None]


@on_both_sides_of("prove")
@pytest.mark.parametrize(
    ("card", "proves"),
    [
        ("weapon-4", True),
        ("weapon-3", False),
        ("red-4", True),
        ("red-3", False),
        ("staff", True),
        ("horse", False),
    ],
)
def test_four_prove_a_clans_worth_and_three_dont(card: str, proves: bool) -> None:
    script = table(4).does("taunt", YELLOW)
    assert (card in script.legal) == proves
    assert proves or script.refused((card,)) == "card-barred"


@on_both_sides_of("unproven")
@pytest.mark.parametrize(("feats", "left", "key"), [(1, 0, "loses"), (0, 0, "nothing-to-lose")])
def test_who_has_renown_beside_the_herds_loses_one(feats: int, left: int, key: str) -> None:
    script = with_clan(table(4), YELLOW, feats=feats).does("taunt", YELLOW)
    lost = script.answers("worth", Option("accept-loss"))
    assert lost.clan(YELLOW).feats == left
    assert key in lost.ruling_keys


@on_both_sides_of("worth-seconds")
@pytest.mark.parametrize(("seconds", "may_be"), [(0, False), (1, True), (120, True), (121, False)])
def test_the_clock_of_a_taunt_runs_from_1_to_120_seconds(seconds: int, may_be: bool) -> None:
    begun = begin(Setup(PLENTY_COUPS, House(worth_seconds=seconds), tuple("ABCD")))
    assert isinstance(begun, Match) == may_be


@on_both_sides_of("herd")
@pytest.mark.parametrize(("horses", "renown"), [(4, 0), (5, 0), (6, 1), (7, 2)])
def test_each_horse_beyond_the_fifth_is_renown(horses: int, renown: int) -> None:
    script = with_clan(table(4), BLACK, herd=horses)
    assert next(rank.renown for rank in ranks(script.state) if rank.seat == BLACK) == renown


@on_both_sides_of("renown-limit/markers", "renown", "turned-later")
@pytest.mark.parametrize(("feats", "then", "key"), [(3, 4, "gains"), (4, 4, "renown-full")])
def test_renown_is_gained_up_to_four_markers(feats: int, then: int, key: str) -> None:
    script = with_clan(table(4), BLACK, feats=feats, herd=6).does("donate", YELLOW, "staff")
    assert script.clan(BLACK).feats == then
    assert key in script.ruling_keys


@on_both_sides_of("no-horses")
@pytest.mark.parametrize(("herd", "total"), [(0, 1), (1, 2)])
def test_only_a_clan_without_any_horse_loses_renown_in_the_end(herd: int, total: int) -> None:
    script = with_clan(with_clan(table(4), BLACK, herd=herd, feats=2), YELLOW, feats=1)
    assert next(rank.renown for rank in ranks(script.state) if rank.seat == BLACK) == total


@on_both_sides_of("change")
@pytest.mark.parametrize(
    ("present", "layable"), [("black-3", {"black-4"}), ("black-2", {"black-3", "black-4"})]
)
def test_a_rider_as_high_as_the_present_allys_changes_nothing(present: str, layable: set[str]) -> None:
    script = with_clan(with_clan(table(4), BLACK, bond="yellow-3"), YELLOW, bond=present)
    assert script.turn_of(GREEN).does("propose", BLACK).legal == layable


def test_without_an_action_left_nothing_can_be_done_but_what_is_no_action() -> None:
    def fails(word: str, left: int) -> object:
        refused = PLENTY_COUPS.why_not(table(4).turn_of(BLACK, left).state, BLACK, Option(word, seat=YELLOW))
        return refused and refused.values["why"]

    for word in ("raid", "gift", "propose", "accept", "taunt", "donate"):
        assert fails(word, left=0) == "no-actions", word
        assert fails(word, left=1) != "no-actions", word
    assert fails("ally-gift", left=0) == fails("ally-gift", left=1) == "no-ally"


def test_whether_the_turn_is_over_is_asked_after_what_is_done_in_it() -> None:
    script, game = table(4), PLENTY_COUPS
    assert game.turns is not None
    assert game.questions is not None
    asks = (game.turns.asks(script.state), *script.match.asks)
    asked = game.questions(game.view(script.state, None), asks)
    assert [question.asks for question in asked] == [("action",), ("whole-turn",)]


@on_both_sides_of("what-is-too-late")
@pytest.mark.parametrize(
    ("rnd", "elder", "turn", "told"),
    [
        (11, BLACK, BLACK, []),
        (12, BLACK, BLACK, [("late-raid", None)]),
        # turns go from the elder to the right: who has had the last one accepts nothing any more
        (12, BLACK, RED, [("late-raid", None), ("late-proposal", (BLACK,))]),
        (12, BLACK, YELLOW, [("late-raid", None), ("late-proposal", (BLACK, GREEN, RED))]),
        (12, GREEN, BLACK, [("late-raid", None), ("late-proposal", (YELLOW, GREEN))]),
    ],
)
def test_what_is_too_late_is_told_at_the_turn(
    rnd: int, elder: int, turn: int, told: list[tuple[str, tuple[int, ...] | None]]
) -> None:
    script = with_state(table(4, turn=turn, rnd=rnd), elder=elder)
    insight = [(ruling.key, ruling.values.get("targets")) for ruling in PLENTY_COUPS.insight(script.state)]
    assert insight == told
    late = [target for _key, targets in told for target in targets or ()]
    for target in {BLACK, YELLOW, GREEN, RED} - {turn}:
        effects = [
            PLENTY_COUPS.effect(script.state, turn, Option(word, seat=target)) for word in ("raid", "propose")
        ]
        keys = [effect.key for effect in effects if effect is not None]
        assert keys == ["raid-late" if told else "raid", "propose-late" if target in late else "propose"]


@within("what-is-too-late", "too-late")
@beyond("round")
def test_a_raid_of_the_last_round_is_lost() -> None:
    over = table(4, turn=YELLOW, rnd=12).does("raid", GREEN, "red-2")
    assert over.match.outcome is not None
    assert over.ruling("too-late") == {"seat": YELLOW, "target": GREEN, "cards": ("red-2",)}
    assert over.clan(YELLOW).herd == over.clan(GREEN).herd == 5


@beyond("what-is-too-late", "too-late")
def test_a_raid_of_the_round_before_is_not() -> None:
    on = with_state(table(4, turn=YELLOW, rnd=11), display=("weapon-2", "horse", "weapon-3", "red-4"))
    on = on.does("raid", GREEN, "red-2")
    assert on.match.outcome is None
    assert "too-late" not in on.ruling_keys
    assert on.state.raids
    assert on.state.round == 12


@on_both_sides_of("what-repels")
def test_what_it_takes_to_repel_a_raid_is_told_to_all() -> None:
    script = with_state(table(4), raids=(Raid(1, 0, ("yellow-3",), 4),))
    (said,) = PLENTY_COUPS.insight(script.state)
    assert (said.key, said.values["needed"], said.values["count"]) == ("may-repel", 4, 4)
    (sure,) = PLENTY_COUPS.insight(with_clan(script, 0, known=("weapon-4",)).state)
    assert sure.key == "can-repel"
    (short,) = PLENTY_COUPS.insight(with_clan(script, 1, known=("weapon-4",)).state)
    assert short.values["count"] == 3
    assert PLENTY_COUPS.insight(table(4).state) == ()


# What a fair player may say.


def fair(script: Script, answer: Answer, *cards: str) -> bool:
    """Ask whether black may fairly say so with these cards."""
    return PLENTY_COUPS.is_fair(script.state, answer, {hand_of(0): cards, hand_of(1): cards})


@pytest.mark.parametrize(
    ("word", "target", "enough", "short"),
    [
        ("breed", None, ("horse",), ("staff",)),
        ("taunt", 1, ("staff",), ("horse",)),
        ("raid", 1, ("red-1",), ("weapon-4",)),
        ("double-raid", 1, ("red-1", "red-2"), ("red-1", "blue-2")),
        ("propose", 1, ("yellow-1",), ("black-1",)),
        ("ally", None, ("blue-1",), ("red-1",)),
        ("hunt", None, ("red-1",), ()),
    ],
)
def test_a_fair_player_does_what_the_hand_can_do(
    word: str, target: int | None, enough: tuple[str, ...], short: tuple[str, ...]
) -> None:
    answer = Answer(0, "action", Option(word, seat=target), 0)
    assert fair(table(4), answer, *enough)
    assert not fair(table(4), answer, *short)
