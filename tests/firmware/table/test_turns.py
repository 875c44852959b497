"""Whole turns by one press: the cards are entered answer by answer, asked about, or not understood."""

from collections.abc import Iterable
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table.cards import show_ask, state_of, zone_name
from firmware.table.state import TableStep, handle_kept
from hardware.twin.dealer import DealtMatch, deal_match
from referee.contract import Answer, Choice, Option, Reason, Refusal, Scene, Value
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.effects import TURN_OVER
from referee.games.plenty_coups.scenes import OPEN
from referee.games.plenty_coups.state import Proving, Raid, State, Taking, Turning
from referee.match import Match, standing_answers
from tests.firmware.board.inputs.matches import open_round
from tests.firmware.table.sat import SeatedTable
from tests.firmware.table.sat import card as placed
from tests.given import present
from tests.hardware.twin.matches import stepped
from tests.referee.games.plenty_coups.script import begin_turn, finish_turn, scene_lying
from tests.referee.tables import new_match
from tests.tiers import tiered
from vision.process.messages import KeepEvidence, ReadTable
from vision.table.values import PlacedCard

ZONES = (
    "centre",
    "discard",
    *(f"{part} {seat}" for part in ("seat", "herd", "camp", "taunt") for seat in range(1, 7)),
)


def card(face: str, zone: str, place: int = 0) -> PlacedCard:
    return replace(placed(face, 0), zone=zone, middle=(1000.0 * ZONES.index(zone) + 100.0 * place, 0.0))


def cards(**zones: tuple[str, ...]) -> tuple[PlacedCard, ...]:
    """Place cards side by side; `seat_3` is the third seat's zone."""
    return tuple(
        card(face, name.replace("_", " "), place)
        for name, faces in zones.items()
        for place, face in enumerate(faces)
    )


class _AtTurn(SeatedTable):
    """A table that stores every answer at once; `deeds` collects all effects since."""

    def __init__(self, match: Match, *there: PlacedCard) -> None:
        super().__init__(match)
        self.readings = 0
        self.look(*there)

    def do(self, step: TableStep) -> "SeatedTable":
        super().do(step)
        all_deeds = self.deeds
        while self.table.writing is not None:
            super().do(handle_kept(self.table, 1, 1.0))
            all_deeds += self.deeds
        self.deeds = all_deeds
        return self

    def look(self, *there: PlacedCard, asked: str = "") -> "SeatedTable":
        self.readings += 1
        return self.see(*there, asked=asked, reading=self.readings)

    def over(self, *there: PlacedCard, seat: int = 0) -> None:
        self.say("whole-turn", TURN_OVER, seat)
        self.look(*there, asked=[order.asked for order in self.orders if isinstance(order, ReadTable)][-1])

    @property
    def ways(self) -> tuple[Option, ...]:
        ask = next(iter(self.match.beside), None)
        return ask.options if isinstance(ask, Choice) and ask.key == "which-way" else ()

    @property
    def stage(self) -> object:
        assert isinstance(self.match.state, State)
        return self.match.state.stage

    @property
    def entries(self) -> list[tuple[str, Value]]:
        return [(each.answer.ask, each.answer.value) for each in standing_answers(self.match)]


DISPLAY = ("weapon-2", "horse", "staff", "weapon-4")
LEFT = ("weapon-2", "weapon-4")
TAKES = [("take", Option("take", face="horse")), ("take", Option("take", face="staff"))]


def sit_at_turn(**changes: object) -> _AtTurn:
    return _AtTurn(begin_turn(**changes).match, *cards(centre=DISPLAY))


def test_turn_ends_only_by_its_seat_between_actions_with_eyes() -> None:
    sat = sit_at_turn()
    for answer, reason in (
        (Answer(0, "whole-turn", TURN_OVER, 1), Reason.NOT_YOU),
        (Answer(9, "whole-turn", TURN_OVER, 0), Reason.FUTURE),
    ):
        (refused,) = sat.enter(answer).replies
        assert isinstance(refused, Refusal)
        assert refused.reason == reason
    for entry in TAKES:
        sat.say(*entry, 0)
    assert [ask.key for ask in sat.match.asks] == ["whole-turn", "action"]
    sat.say("action", Option("raid", seat=1), 0)
    assert [ask.key for ask in sat.match.asks] == ["raid-rider"]
    assert SeatedTable(open_round()).match.beside == ()
    assert [told.key for told in SeatedTable(begin_turn().match).say("whole-turn", TURN_OVER, 0).notices] == [
        "no eyes"
    ]


def test_turn_is_entered_answer_by_answer_each_with_its_picture() -> None:
    sat = sit_at_turn()
    gift = card("red-4", "seat 2")
    hidden = replace(gift, card=replace(gift.card, face=None, facing="down"))
    outside = replace(card("blue-1", "centre"), zone="proof")
    sat.over(*cards(centre=LEFT, seat_3=("red-2",), camp_1=("blue-2",)), hidden, outside)
    assert sat.entries[:2] == TAKES
    raided, allied = ("action", Option("raid", seat=2)), ("action", Option("ally"))
    wanted = [raided, ("raid-rider", ("red-2",)), allied, ("neutral-rider", ("blue-2",))]
    assert sorted(map(str, sat.entries[2:])) == sorted(map(str, wanted))
    assert {each.answer.sense for each in standing_answers(sat.match)} == {"camera"}
    keeps = [order for order in sat.orders if isinstance(order, KeepEvidence)]
    assert [(each.moment, each.reading) for each in keeps] == [(each, sat.readings) for each in range(1, 7)]
    assert isinstance(sat.stage, Turning)
    assert sat.notices == []


def test_discards_count_even_when_covered() -> None:
    sat = sit_at_turn(raids=(Raid(1, 0, ("red-2",), 2),))
    sat.look(*cards(centre=DISPLAY, discard=("weapon-4",)))
    sat.look(*cards(centre=("weapon-2", "horse"), discard=("red-2",)))
    sat.over(*cards(centre=("weapon-2", "horse"), discard=("staff",)))
    sat.say("which-way", Option("defend"), 0)
    assert ("weapon", ("weapon-4",)) in sat.entries
    sat.say("which-way", Option("feat"), 0)
    assert sat.entries[-1] == ("action", Option("feat"))


def test_cards_due_for_discard_are_no_feat() -> None:
    """The staff comes off as the taunted clan's turn begins: on the discards it is no clan's feat."""
    sat = sit_at_turn()
    sat.over(*cards(centre=LEFT, taunt_4=("staff",), seat_3=("red-2",)))
    sat.say("worth", Option("accept-loss"), 3)
    sat.say("display", ("green-1", "green-2"), 0)
    # the card just named is there already
    assert sat.table.turn.due == (("discard", "staff"),)
    count, display = len(sat.entries), (*LEFT, "green-1", "green-2")
    sat.look(*cards(centre=display, seat_3=("red-2",), discard=("staff",)))
    sat.over(*cards(centre=LEFT, seat_3=("red-2",), discard=("staff",), seat_2=("red-3",)), seat=3)
    meant = [Option("take", face="green-1"), Option("take", face="green-2"), Option("raid", seat=1), ("red-3",)]
    assert [value for _ask, value in sat.entries[count:]] == meant


def test_ambiguous_turn_is_asked_about_and_continues() -> None:
    sat = sit_at_turn()
    # ambiguous turns
    sat.over(*cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",)))
    assert sat.match.asks[0] is sat.match.beside[0]
    assert len(sat.ways) > 1
    assert set(sat.ways) <= set(sat.match.asks[1].options)  # type: ignore[union-attr]
    (refused,) = sat.say("which-way", Option("hunt"), 0).replies
    assert isinstance(refused, Refusal)
    assert refused.reason == Reason.NO_SUCH_OPTION
    sat.say("which-way", next(option for option in sat.ways if option.word == "gift"), 0, sense="phone")
    while sat.ways:
        sat.say("which-way", sat.ways[0], 0, sense="dial")
    assert isinstance(sat.stage, Turning)
    assert {each.answer.sense for each in standing_answers(sat.match)} == {"camera", "phone"}


@pytest.mark.parametrize(
    ("changes", "there", "expected"),
    [
        ({}, cards(centre=LEFT, seat_3=("weapon-3",)), "turn unclear cards"),
        ({}, cards(centre=DISPLAY), "turn unchanged"),
        ({"sure": False}, cards(centre=LEFT, seat_3=("red-2",)), "unsure"),
        ({"possible": False}, cards(centre=LEFT, seat_3=("red-2",)), "impossible"),
    ],
)
def test_unexplained_cards_are_reported_and_nothing_entered(
    changes: dict[str, bool], there: tuple[PlacedCard, ...], expected: str
) -> None:
    sat = sit_at_turn()
    *rest, last = there
    sat.over(*rest, replace(last, card=replace(last.card, **changes)))
    assert [notice.key for notice in sat.notices] == [expected]
    assert sat.entries == []
    assert sat.match.asks[0].key == "whole-turn"


def test_entered_cards_do_not_answer_later_asks() -> None:
    """The red 4 came home from a raid: it proves nothing for the clan that is taunted."""
    sat = sit_at_turn(raids=(Raid(0, 2, ("red-4",), 4),))
    sat.over(*cards(centre=LEFT, discard=("red-4",), taunt_2=("staff",), seat_4=("green-2",)))
    while sat.ways:
        sat.say("which-way", sat.ways[0], 0)
    assert isinstance(sat.stage, Proving)
    assert "proof" not in [ask for ask, _value in sat.entries]
    assert (sat.table.confirming, sat.table.way) == ((), None)


def test_rider_newly_laid_between_all_places_is_read() -> None:
    sat = sit_at_turn()
    early, rider = (replace(each, zone=None) for each in cards(camp_1=("red-3", "red-2")))
    sat.look(*cards(centre=DISPLAY), early)
    for entry in (*TAKES, ("action", Option("raid", seat=1))):
        sat.say(*entry, 0)
    there = cards(centre=LEFT)
    assert sat.look(*there, early).orders == []
    match = sat.match
    assert state_of(match, show_ask(match), present(sat.table.cards)[-1]) == "elsewhere"
    (order,) = sat.look(*there, early, rider).orders
    assert isinstance(order, ReadTable)
    sat.look(*there, early, rider, asked=order.asked)
    assert sat.entries[-1] == ("raid-rider", ("red-2",))


def test_cards_laid_again_where_they_were_do_not_count() -> None:
    sat = sit_at_turn()
    sat.look()
    sat.look(*cards(centre=("horse", *DISPLAY)))
    assert sorted(str(each.name) for each in sat.table.cards or () if each.is_counted) == sorted(DISPLAY)


@pytest.mark.parametrize("players", tiered((3,), (2, 3, 5)))
def test_honest_turns_are_entered_as_played_or_asked_about(players: int) -> None:
    rng = Random(players)
    now = deal_match(new_match(PLENTY_COUPS, "rule text", players), rng)
    start: DealtMatch | None = None
    keys: list[str] = []
    read = 0
    while now.match.asks and read < 25:
        if start is None and isinstance(now.match.state.stage, Taking):
            start, keys = now, []
        later = stepped(now, rng)
        keys += [ruling.key for ruling in later.match.rulings]
        if start is not None and "turn-over" in keys:
            if "pile-renewed" not in keys:
                read += 1
                say_at_once(start, scene_lying(finish_turn(now, later.match, rng)))
            start = None
        now = later


def say_at_once(start: DealtMatch, scene: Scene) -> None:
    """End a turn and answer its questions; the result is the played turn, or nothing."""
    first = scene_lying(start)
    old = {**first, **{zone: () for zone in first if zone.name == "discard"}}
    sat = _AtTurn(start.match, *place_scene(old))
    before, seat = sat.entries, sat.match.beside[0].seats[0]
    fresh = {zone: cards[len(first.get(zone, ())) :] for zone, cards in scene.items() if zone.name == "discard"}
    sat.over(*place_scene({**scene, **fresh}), seat=seat)
    for _question in range(9):
        if sat.ways:
            sat.say("which-way", sat.ways[0], seat)
    assert sat.notices == [], (sat.notices, scene)
    assert sat.entries[: len(before)] == before
    assert len(sat.entries) > len(before)
    assert not isinstance(sat.stage, Taking) or sat.match.state.round == 12  # type: ignore[attr-defined]


def place_scene(scene: Scene) -> Iterable[PlacedCard]:
    return [
        card(face, zone_name(zone), place)
        for zone, faces in scene.items()
        if zone.name in OPEN
        for place, face in enumerate(faces)
    ]
