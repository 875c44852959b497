"""Whole turns: one press, and what lies there is entered answer by answer, asked about, or not understood."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from msgspec.structs import replace

from firmware.board.senses.meaning import answers
from firmware.board.senses.menus import menu
from firmware.cli.parsing import parse_entry
from firmware.cli.terminal import listener_of
from firmware.core.cards import TableCard, zone_name
from firmware.core.notices import Notice, sentence_for
from firmware.core.table import (
    EntryRequest,
    OrderEyes,
    Reply,
    SayNotice,
    TableEffect,
    TableState,
    TableStep,
    Tell,
    Write,
    at_start,
    handle_kept,
    handle_not_kept,
    handle_sighting,
    hear_request,
)
from firmware.core.turns import TurnProgress, _account_cards, follow_answer, follow_arrivals, with_asks
from hardware.board.board import Key
from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import Answer, Choice, Option, Reason, Refusal, Scene, Sense, Value, make_ruling
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.actions import TURN_OVER
from referee.games.plenty_coups.scenes import OPEN
from referee.games.plenty_coups.state import Proving, Raid, State, Taking, Turning
from referee.match import Correct, Match, TakeBack, enter, log, moments, standing_answers
from tests.firmware.board.senses.matches import open_round
from tests.firmware.core.placed import card as placed
from tests.firmware.core.placed import see_table
from tests.referee.games.plenty_coups.turn_scenes import begin_turn, finish_turn, scene_lying
from tests.referee.tables import new_match
from vision.process.messages import KeepEvidence, ReadTable
from vision.table.zones import PlacedCard

ZONES = (
    "centre",
    "discard",
    *(f"{part} {seat}" for part in ("seat", "herd", "camp", "taunt") for seat in range(1, 7)),
)


def card(face: str, zone: str, place: int = 0) -> PlacedCard:
    """Place a card; one in the same place lies on the one before."""
    each = placed(face, 0)
    return replace(each, zone=zone, middle=(1000.0 * ZONES.index(zone) + 100.0 * place, 0.0))


def cards(**zones: tuple[str, ...]) -> tuple[PlacedCard, ...]:
    """Place cards side by side; `seat_3` is the third seat's part."""
    return tuple(
        card(face, name.replace("_", " "), place)
        for name, faces in zones.items()
        for place, face in enumerate(faces)
    )


class Sat:
    """A table at which every answer is kept at once, and what was said meanwhile."""

    def __init__(self, match: Match, *there: PlacedCard) -> None:
        """Sit down; the eyes have seen what lies there."""
        self.table: TableState = at_start(match, 1, 0.0)[0]
        self.deeds: list[TableEffect] = []
        self.readings = 0
        self.see(*there)

    def do(self, step: TableStep) -> None:
        """Go on until nothing is to be written."""
        self.table, deeds = step
        self.deeds += deeds
        while any(isinstance(deed, Write) for deed in deeds):
            self.table, deeds = handle_kept(self.table, 1, 1.0)
            self.deeds += deeds

    def see(self, *there: PlacedCard, asked: str = "") -> None:
        """Let the eyes tell all that lies there."""
        self.readings += 1
        self.do(handle_sighting(self.table, see_table(*there, asked=asked, reading=self.readings), 1.0))

    def say(self, ask: str, value: Value, seat: int = 0, sense: Sense = "button") -> object:
        """Say something, and give what became of it."""
        self.deeds.clear()
        self.do(
            hear_request(self.table, EntryRequest(Answer(self.match.number, ask, value, seat, sense), 7), 1.0)
        )
        replies = [deed.result for deed in self.deeds if isinstance(deed, Reply) and deed.entered.ticket == 7]
        return replies[0]

    def over(self, *there: PlacedCard, seat: int = 0) -> None:
        """Say that the turn is over; the eyes look, and see this."""
        assert isinstance(self.say("whole-turn", TURN_OVER, seat), Match)
        looks = [
            deed.order.asked
            for deed in self.deeds
            if isinstance(deed, OrderEyes) and isinstance(deed.order, ReadTable)
        ]
        self.see(*there, asked=looks[-1])

    @property
    def match(self) -> Match:
        """Give the moment that stands."""
        return self.table.match

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def notices(self) -> list[str]:
        """Name what was said beside the game."""
        return [deed.notice.key for deed in self.deeds if isinstance(deed, SayNotice)]

    @property
    def entries(self) -> list[tuple[str, Value]]:
        """List what was entered."""
        return [(each.answer.ask, each.answer.value) for each in standing_answers(self.match)]


DISPLAY = ("weapon-2", "horse", "staff", "weapon-4")
LEFT = ("weapon-2", "weapon-4")
TAKES = [("take", Option("take", face="horse")), ("take", Option("take", face="staff"))]


def sit_at_turn(**changes: object) -> Sat:
    return Sat(begin_turn(**changes).match, *cards(centre=DISPLAY))


# how it is said


def test_the_seat_in_turn_may_say_that_its_turn_is_over_in_every_way() -> None:
    match = sit_at_turn().match
    assert [ask.key for ask in match.asks] == ["whole-turn", "take"]
    pressed = answers(match, Key("call", 0))["short"]
    assert (pressed.ask, pressed.value) == ("whole-turn", TURN_OVER)
    assert answers(match, Key("call", 1)) == {}
    assert answers(match, Key("call"))["short"].ask == "whole-turn"
    assert menu(match).picks[0].ask == "whole-turn"
    typed = parse_entry(listener_of(match), match, "turn-over")
    assert isinstance(typed, Answer)
    assert (typed.ask, typed.seat) == ("whole-turn", 0)


def test_the_game_itself_never_hears_it() -> None:
    match = sit_at_turn().match
    refused = enter(match, Answer(match.number, "whole-turn", TURN_OVER, 0))
    assert isinstance(refused, Refusal)
    assert refused.reason == Reason.NOT_ASKED


def test_in_the_middle_of_an_action_and_in_other_games_it_is_not_asked() -> None:
    table = sit_at_turn()
    table.say("take", Option("take", face="horse"))
    table.say("take", Option("take", face="staff"))
    assert [ask.key for ask in table.match.asks] == ["whole-turn", "action"]
    table.say("action", Option("raid", seat=1))
    assert [ask.key for ask in table.match.asks] == ["raid-rider"]
    assert at_start(open_round(), 1, 0.0)[0].match.beside == ()


def test_only_the_seat_in_turn_says_it_and_only_now() -> None:
    table = sit_at_turn()
    other = table.say("whole-turn", TURN_OVER, 1)
    assert isinstance(other, Refusal)
    assert other.reason == Reason.NOT_YOU
    table.table, deeds = hear_request(table.table, EntryRequest(Answer(9, "whole-turn", TURN_OVER, 0), 7), 1.0)
    assert [deed.result.reason for deed in deeds if isinstance(deed, Reply)] == [Reason.FUTURE]  # type: ignore[union-attr]


def test_without_a_camera_it_is_said_by_hand() -> None:
    table = at_start(begin_turn().match, 1, 0.0)[0]
    table, deeds = hear_request(table, EntryRequest(Answer(0, "whole-turn", TURN_OVER, 0)), 1.0)
    assert [deed.notice.key for deed in deeds if isinstance(deed, SayNotice)] == ["no eyes"]
    assert table.turn.said is None


# one way


def test_a_turn_is_entered_answer_by_answer_with_the_picture_kept_for_each() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=LEFT, seat_3=("red-2",), camp_1=("blue-2",)))
    assert table.entries[:2] == TAKES
    assert sorted(str(entry) for entry in table.entries[2:]) == sorted(
        str(entry)
        for entry in (
            ("action", Option("raid", seat=2)),
            ("raid-rider", ("red-2",)),
            ("action", Option("ally")),
            ("neutral-rider", ("blue-2",)),
        )
    )
    assert {each.answer.sense for each in standing_answers(table.match)} == {"camera"}
    keeps = [
        deed.order
        for deed in table.deeds
        if isinstance(deed, OrderEyes) and isinstance(deed.order, KeepEvidence)
    ]
    assert [each.moment for each in keeps] == list(range(1, 7))
    assert {each.reading for each in keeps} == {table.readings}
    assert isinstance(table.state.stage, Turning)
    assert table.notices == []


def test_discards_count_that_lie_under_others_by_now() -> None:
    table = sit_at_turn(raids=(Raid(1, 0, ("red-2",), 2),))
    table.see(*cards(centre=DISPLAY, discard=("weapon-4",)))
    table.see(*cards(centre=("weapon-2", "horse"), discard=("red-2",)))
    table.over(*cards(centre=("weapon-2", "horse"), discard=("staff",)))
    table.say("which-way", Option("defend"))
    assert ("weapon", ("weapon-4",)) in table.entries
    table.say("which-way", Option("feat"))
    assert table.entries[-1] == ("action", Option("feat"))


def test_a_discard_that_was_taken_back_does_not_count() -> None:
    table = sit_at_turn()
    table.see(*cards(centre=LEFT, discard=("white-4",)))
    table.see(*cards(centre=LEFT))
    table.over(*cards(centre=LEFT, seat_3=("red-2",)))
    assert table.entries == [*TAKES, ("action", Option("raid", seat=2)), ("raid-rider", ("red-2",))]


def test_what_a_turn_begins_with_is_on_its_way_to_the_discards() -> None:
    """The staff comes off as the taunted clan's turn begins: on the discards it is no clan's feat."""
    table = sit_at_turn()
    table.over(*cards(centre=LEFT, taunt_4=("staff",), seat_3=("red-2",)))
    table.say("worth", Option("accept-loss"), 3)
    display = (*LEFT, "green-1", "green-2")
    table.say("display", ("green-1", "green-2"))
    assert ("discard", "staff") in table.table.turn.due
    count = len(table.entries)
    table.see(*cards(centre=display, seat_3=("red-2",), discard=("staff",)))
    table.over(*cards(centre=LEFT, seat_3=("red-2",), discard=("staff",), seat_2=("red-3",)), seat=3)
    meant = [Option("take", face="green-1"), Option("take", face="green-2"), Option("raid", seat=1), ("red-3",)]
    assert [value for _ask, value in table.entries[count:]] == meant


def test_a_card_that_a_word_meant_answers_nothing_else_when_it_is_laid() -> None:
    """A player says "breed" first and lays the horse then: it isn't what the hunt after it discards."""
    table = sit_at_turn()
    table.say("take", Option("take", face="horse"))
    table.say("take", Option("take", face="staff"))
    table.say("action", Option("breed"))
    table.say("action", Option("hunt"))
    table.see(*cards(centre=LEFT, discard=("horse",)))
    assert [ask.key for ask in table.match.asks] == ["for-hunt"]
    assert table.table.confirming == ()
    table.see(*cards(centre=LEFT, discard=("horse", "white-1")))
    assert table.table.confirming == ("white-1",)


# several ways


def test_where_several_ways_fit_the_table_asks_which_and_goes_on() -> None:
    table = sit_at_turn()
    there = cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",))
    table.over(*there)
    (ask,) = table.match.beside
    assert ask.key == "which-way"
    assert table.match.asks[0] is ask
    options = ask.options  # type: ignore[union-attr]
    assert set(options) <= set(table.match.asks[1].options)  # type: ignore[union-attr]
    assert len(options) > 1
    gift = next(option for option in options if option.word == "gift")
    table.say("which-way", gift, 0, "phone")
    while table.match.beside and table.match.beside[0].key == "which-way":
        table.say("which-way", table.match.beside[0].options[0], 0, "dial")  # type: ignore[union-attr]
    assert isinstance(table.state.stage, Turning)
    assert {each.answer.sense for each in standing_answers(table.match)} == {"camera", "phone"}


def test_what_is_said_instead_goes_on_action_by_action() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",)))
    assert table.match.beside[0].key == "which-way"
    table.say("action", Option("hunt"))
    assert table.table.turn.ways == ()
    assert [ask.key for ask in table.match.asks] == ["for-hunt"]


def test_what_cannot_be_one_of_the_ways_is_refused() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",)))
    refused = table.say("which-way", Option("hunt"))
    assert isinstance(refused, Refusal)
    assert refused.reason == Reason.NO_SUCH_OPTION


def test_asking_which_tells_nothing_twice_and_spoils_no_record() -> None:
    table = sit_at_turn()
    table.say("take", Option("take", face="staff"))
    table.say("take", Option("take", face="weapon-4"))
    before = table.match
    table.over(*cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",)))
    assert table.match.number == before.number
    assert table.match.rulings == ()
    assert before in list(moments(table.match))
    assert len(log(table.match)) == len(log(before))
    assert any(isinstance(deed, Tell) and deed.match is table.match for deed in table.deeds)


# none, and what is in the way


def test_what_nothing_explains_is_said_kindly_and_nothing_is_entered() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=LEFT, seat_3=("weapon-3",)))
    assert table.notices == ["turn unclear cards"]
    (notice,) = [deed.notice for deed in table.deeds if isinstance(deed, SayNotice)]
    assert isinstance(notice, Notice)
    assert "weapon 3" in sentence_for(notice, listener_of(table.match))
    assert table.entries == []
    assert table.match.asks[0].key == "whole-turn"


def test_a_table_on_which_nothing_has_changed_is_said_to_be() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=DISPLAY))
    assert table.notices == ["turn unchanged"]


@pytest.mark.parametrize(("changes", "why"), [({"sure": False}, "unsure"), ({"possible": False}, "impossible")])
def test_a_card_that_is_not_sure_is_said_first(changes: dict[str, bool], why: str) -> None:
    table = sit_at_turn()
    strange = card("red-2", "seat 3")
    strange = replace(strange, card=replace(strange.card, **changes))
    table.over(*cards(centre=LEFT), strange)
    assert table.notices == [why]
    assert table.entries == []


def test_cards_face_down_and_outside_the_parts_do_not_count() -> None:
    table = sit_at_turn()
    gift = card("red-4", "seat 2")
    gift = replace(gift, card=replace(gift.card, face=None, facing="down"))
    table.over(*cards(centre=LEFT, seat_3=("red-2",)), gift, replace(card("blue-1", "centre"), zone="proof"))
    assert ("raid-rider", ("red-2",)) in table.entries


def test_what_was_entered_is_no_answer_to_what_comes_then() -> None:
    """The red 4 came home from a raid: it proves nothing for the clan that is taunted."""
    table = sit_at_turn(raids=(Raid(0, 2, ("red-4",), 4),))
    table.over(*cards(centre=LEFT, discard=("red-4",), taunt_2=("staff",), seat_4=("green-2",)))
    while table.match.beside and table.match.beside[0].key == "which-way":
        table.say("which-way", table.match.beside[0].options[0])  # type: ignore[union-attr]
    assert isinstance(table.state.stage, Proving)
    assert "proof" not in [ask for ask, _value in table.entries]
    assert (table.table.confirming, table.table.way) == ((), None)


def test_a_disk_that_fails_leaves_the_rest_to_people() -> None:
    table = sit_at_turn()
    looked = hear_request(
        table.table, EntryRequest(Answer(table.match.number, "whole-turn", TURN_OVER, 0)), 1.0
    )[0]
    asked = f"turn {table.match.number}"
    writing, _deeds = handle_sighting(
        looked, see_table(*cards(centre=LEFT, seat_3=("red-2",)), asked=asked), 1.0
    )
    failed, deeds = handle_not_kept(writing, "full", 1.0)
    assert failed.writing is None
    assert failed.turn.ways == ()
    assert failed.match.asks[0].key == "whole-turn"
    assert any(isinstance(deed, Tell) for deed in deeds)


def test_taking_back_forgets_what_it_could_have_been() -> None:
    table = sit_at_turn()
    table.over(*cards(centre=("weapon-2", "horse"), discard=("red-2",), seat_2=("red-3",)))
    table.do(hear_request(table.table, EntryRequest(TakeBack(table.match.number, 0)), 1.0))
    assert table.match.beside[0].key == "whole-turn"
    last = standing_answers(table.match)[-1].heard_at
    table.do(hear_request(table.table, EntryRequest(Correct(table.match.number, last)), 1.0))
    assert table.match.beside[0].key == "whole-turn"


# whole matches


@pytest.mark.parametrize("players", [2, 3, 5])
def test_honest_turns_are_entered_as_they_were_played_or_asked_about(players: int) -> None:
    rng = Random(players)
    now = deal_match(new_match(PLENTY_COUPS, "rule text", players), rng)
    start: DealtMatch | None = None
    keys: list[str] = []
    read = 0
    while now.match.asks and read < 25:
        if start is None and isinstance(now.match.state.stage, Taking):
            start, keys = now, []
        later = step(now, rng)
        assert not isinstance(later, Refusal)
        keys += [ruling.key for ruling in later.match.rulings]
        if start is not None and "turn-over" in keys:
            if "pile-renewed" not in keys:
                read += 1
                say_at_once(start, scene_lying(finish_turn(now, later.match, rng)))
            start = None
        now = later


def say_at_once(start: DealtMatch, scene: Scene) -> None:
    """Say that a turn is over, and answer what is asked; it comes to what was played, or to nothing."""
    first = scene_lying(start)
    old = {**first, **{zone: () for zone in first if zone.name == "discard"}}
    table = Sat(start.match, *place_scene(old))
    seat = table.match.beside[0].seats[0]
    discards = {
        zone: cards[len(first.get(zone, ())) :] for zone, cards in scene.items() if zone.name == "discard"
    }
    table.over(*place_scene({**scene, **discards}), seat=seat)
    for _question in range(9):
        if not table.match.beside or table.match.beside[0].key != "which-way":
            break
        table.say("which-way", table.match.beside[0].options[0], seat)  # type: ignore[union-attr]
    assert table.notices == [], (table.notices, scene)
    assert table.entries[: len(standing_answers(start.match))] == [
        (each.answer.ask, each.answer.value) for each in standing_answers(start.match)
    ]
    assert len(table.entries) > len(standing_answers(start.match))
    assert not isinstance(table.state.stage, Taking) or table.state.round == 12


def place_scene(scene: Scene) -> Iterable[PlacedCard]:
    """Place the cards of a scene where the eyes tell their zones."""
    return [
        card(face, zone_name(zone), place)
        for zone, faces in scene.items()
        if zone.name in OPEN
        for place, face in enumerate(faces)
    ]


# which cards are known


def on_table(face: str, zone: str, middle: tuple[float, float] | None, *, is_told: bool = False) -> TableCard:
    return TableCard(replace(placed(face, 0), zone=zone, middle=middle), is_told=is_told)


def test_all_cards_that_lie_there_are_known_as_a_turn_begins() -> None:
    turn = begin_turn().match
    cards_there = (on_table("horse", "centre", (0.0, 0.0)),)
    begun = replace(turn, rulings=tuple(make_ruling(key) for key in PLENTY_COUPS.turns.begins))  # type: ignore[union-attr]
    known, progress = follow_answer(begun, cards_there, TurnProgress(covered=("staff",)))
    assert known == (replace(cards_there[0], is_told=True),)
    assert progress.covered == ()


def test_where_no_eyes_look_no_cards_are_known() -> None:
    turn = begin_turn().match
    assert follow_answer(turn, None, TurnProgress())[0] is None
    assert follow_answer(turn, (), TurnProgress())[0] == ()


@pytest.mark.parametrize(
    ("middle", "is_covered"),
    [
        ((0.0, 500.0), True),
        ((0.0, 574.0), True),
        ((0.0, 576.0), False),
        ((74.0, 500.0), True),
        ((76.0, 500.0), False),
    ],
)
def test_a_discard_is_covered_by_a_card_that_lies_on_it(
    middle: tuple[float, float], *, is_covered: bool
) -> None:
    before = (on_table("staff", "discard", (0.0, 500.0)),)
    _cards, progress = follow_arrivals(before, (on_table("horse", "discard", middle),), TurnProgress())
    assert (progress.covered == ("staff",)) == is_covered


def test_the_table_asks_which_only_between_options_that_the_game_asks_for() -> None:
    match = begin_turn().match
    (ask,) = (ask for ask in match.asks if isinstance(ask, Choice))
    one, other = ((Answer(0, ask.key, option, 0),) for option in ask.options[:2])
    (beside,) = with_asks(match, TurnProgress(ways=(one, other))).beside
    assert isinstance(beside, Choice)
    assert (beside.seats, beside.options) == (ask.seats, ask.options[:2])
    assert with_asks(match, TurnProgress(ways=(one,))).beside == ()
    assert with_asks(match, TurnProgress(ways=(one, one))).beside == ()
    laid = tuple((Answer(0, "never", option, 0),) for option in ask.options[:2])
    assert with_asks(match, TurnProgress(ways=laid)).beside == ()


def test_a_card_that_is_sent_somewhere_is_an_old_one_there_but_a_new_one_among_the_discards() -> None:
    there = tuple(on_table("staff", zone, (0.0, 0.0), is_told=True) for zone in ("centre", "discard"))
    sent = Counter({("centre", "staff"): 1, ("discard", "staff"): 1})
    assert _account_cards(there, sent)[1] == {("discard", "staff"): 1}
    fresh = tuple(replace(each, is_told=False) for each in there)
    noted, left = _account_cards(fresh, sent)
    assert (noted, left) == (there, Counter())


def test_discards_that_lie_there_at_first_are_old_where_turns_are_read_as_a_whole() -> None:
    there = cards(centre=("blue-4",), discard=("blue-3", "blue-2"))
    table = handle_sighting(at_start(begin_turn().match, 1, 0.0)[0], see_table(*there), 1.0)[0]
    assert table.cards is not None
    assert {(each.card.zone, each.card.card.face): each.is_told for each in table.cards} == {
        ("centre", "blue-4"): False,
        ("discard", "blue-3"): True,
        ("discard", "blue-2"): True,
    }
