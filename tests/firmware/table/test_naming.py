"""Cards that are learnt during play: which need a name now, who may be asked, and what answers teach."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table import state
from firmware.table.card_answers import answer_from_cards
from firmware.table.cards import Count, TableCard, show_ask, zone_name
from firmware.table.effects import EntryRequest, Sitting
from firmware.table.naming import (
    OfferedFace,
    UnknownOnTable,
    cards_in_view,
    numbered_cards,
    offered_faces,
    open_questions,
    orders_after,
    unseen_faces,
)
from firmware.table.notices import Notice
from hardware.twin.player import any_answer
from referee.contract import CENTRE, ZONE_KINDS, Answer, Game, Show, Zone, is_seen
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.match import Correct, Match, Setup, begin, hear
from tests.given import allowed, present
from tests.plugins.installed import OUR_GAMES, game_of
from tests.referee.peeking_game import PEEKING
from tests.referee.tables import random_moments
from tests.tiers import tiered
from vision.process.messages import NameCard, UndoName, UnknownCard
from vision.sightings import Outline, RunnerUp, Sighting
from vision.table.values import PlacedCard

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
WALKED = tiered(25, 60)  # answers of each walk


def outline(number: int, shift: float = 0.0) -> Outline:
    x, y = 100.0 * number + shift, 50.0 + shift
    return (x, y), (x + 63, y), (x + 63, y + 88), (x, y + 88)


def lying(
    number: int,
    zone: str | None,
    face: str | None = None,
    toward: int | None = None,
    chance: float | None = None,
) -> TableCard:
    sighting = Sighting(
        face, face is not None, 0.5, (RunnerUp("duke", 0.5),), outline(number), "up", 1.0, chance=chance
    )
    towards = None if toward is None else f"seat {toward + 1}"
    return TableCard(PlacedCard(sighting, (100.0 * number, 0.0), None, zone, towards), since=number)


def unknown(*numbers: int) -> tuple[UnknownOnTable, ...]:
    return tuple(UnknownOnTable(number, UnknownCard(outline(number), b"jpeg", ())) for number in numbers)


def asked_to_reveal() -> Match:
    """Return a match of Coyote whose players shall lay their cards into the middle."""
    match = allowed(begin(Setup(COYOTE, COYOTE.rules.house(), NAMES[:3])))
    rng = Random(3)
    while (ask := show_ask(match)) is None or ask.zone != CENTRE:
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
    return match


MATCH = asked_to_reveal()
ONE_UNKNOWN = (lying(1, "centre", "20"), lying(2, "centre"), lying(3, "centre", "10"))
NAMED = NameCard(outline(2), "3", MATCH.setup.begun, MATCH.number)


def moments_of(game: Game, house: object, seed: int) -> Iterator[Match]:
    names = NAMES[: game.rules.seats(house)[0]]
    return random_moments(allowed(begin(Setup(game, house, names))), Random(seed), WALKED)


@pytest.mark.parametrize("name", [*GAMES, *OUR_GAMES])
def test_nobody_is_asked_about_a_card_that_they_may_not_see(name: str) -> None:
    game = GAMES.get(name) or game_of(name)
    kinds, asked = {**ZONE_KINDS, **game.table.zones}, 0
    for seed, house in enumerate(list(game.rules.settings.values())[: tiered(2, None)]):
        for match in moments_of(game, house, seed):
            seats = range(len(match.setup.names))
            places = [Zone(name, seat) for name in kinds for seat in (None, *seats)]
            cards = tuple(lying(number, zone_name(zone)) for number, zone in enumerate(places))
            counted = replace(lying(99, None, "face"), count=Count.SHOWN)
            questions = open_questions(match, cards, unknown(*range(len(places))))
            ask = show_ask(match)
            assert ask is not None or not questions
            asked += len(questions)
            for question in questions:
                assert {seat for seat in seats if is_seen(game, question.ask.zone, seat)} == {*question.seats}
                assert question.is_open == is_seen(game, question.ask.zone, None)
            for seat in (None, *seats):
                seen = cards_in_view(match, (*cards, lying(98, None, "face"), counted), (), (9, 9), seat)
                may_see = ask is not None and is_seen(game, ask.zone, seat)
                assert (seen.may_show, seen.cards[-2].name, seen.cards[-1].name) == (
                    may_see,
                    "face" if may_see else "",
                    "face",
                )
                assert cards_in_view(match, (counted,), (), (9, 9), seat).may_show
    assert asked


def test_card_that_was_shown_to_one_player_stays_hidden_from_the_others() -> None:
    match, rng = allowed(begin(Setup(PEEKING, PEEKING.rules.house(), NAMES[:3]))), Random(1)
    while (ask := show_ask(match)) is None or ask.zone.name != "looked":
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
    owner, face = present(ask.zone.seat), next(iter(ask.among))
    match = allowed(hear(match, Answer(match.number, ask.key, (face,), None, "camera")))
    counted = replace(lying(1, "centre", face), count=Count.SHOWN)
    for seat in (None, 0, 1, 2):
        seen = cards_in_view(match, (counted,), (), (9, 9), seat)
        is_secret = seat != owner
        assert (seen.may_show, seen.cards[0].name) == (not is_secret, "" if is_secret else face)
        assert (seen.cards[0].state == "hidden") == is_secret
        learnt = {face: {match.number - 1}, "before": {-1}}
        assert (face in unseen_faces(match, seat, learnt)) == is_secret


def test_player_before_whom_a_card_lies_is_asked_first() -> None:
    cards = (lying(1, "centre", toward=1), lying(2, "centre", toward=2), lying(3, "centre", "20"))
    first, second = open_questions(MATCH, cards, unknown(1, 2, 3))
    assert (first.seats, first.before, first.is_open) == ((1, 0, 2), 1, True)
    assert (second.seats, second.before) == ((2, 0, 1), 2)


def test_only_cards_that_keep_the_game_waiting_are_asked_for() -> None:
    cards = (
        lying(1, "discard"),
        replace(lying(2, "centre"), count=Count.SHOWN),
        # unread for long, and elsewhere
        replace(lying(3, "discard"), is_new=False),
        lying(4, "centre", "20"),
    )
    assert [each.unknown.number for each in open_questions(MATCH, cards, unknown(1, 2, 3, 4))] == [1]
    # unknown cards that lie covered aren't sent by the eyes
    assert open_questions(MATCH, cards, unknown(2)) == ()
    # a likely face counts without a question
    named = tuple(lying(number, "centre", face) for number, face in enumerate(("20", "15")))
    assert open_questions(MATCH, (*named, lying(3, "centre", chance=0.1)), unknown(3)) != ()
    likely = lying(3, "centre", chance=0.99)
    runner = replace(likely.card.card, runners_up=(RunnerUp("10", 0.9),))
    likely = replace(likely, card=replace(likely.card, card=runner))
    assert open_questions(MATCH, (*named, likely), unknown(3)) == ()


def test_likely_cards_are_asked_for_last_as_a_single_one_counts_by_itself() -> None:
    likely = [lying(number, "centre", chance=0.99) for number in (1, 2)]
    cards = (*likely, lying(3, "centre"))
    questions = open_questions(MATCH, cards, unknown(1, 2, 3))
    assert [(each.unknown.number, each.is_likely) for each in questions] == [(3, False), (1, True), (2, True)]
    # people denied it
    denied = replace(likely[0], denied=("duke",))
    first, *_others = open_questions(MATCH, (denied, likely[1], cards[2]), unknown(1, 2, 3))
    assert not first.is_likely


def test_card_keeps_its_number_while_it_lies_there() -> None:
    (first,) = numbered_cards((), [UnknownCard(outline(1), b"one", ())])
    moved, other = numbered_cards(
        (first,), [UnknownCard(outline(1, 5.0), b"two", ()), UnknownCard(outline(2), b"three", ())]
    )
    assert moved.number == first.number != other.number
    assert moved.card.jpeg == b"two"


def test_faces_are_offered_new_ones_first_and_used_ones_last() -> None:
    deck = COYOTE.table.deck(COYOTE.rules.house())
    ask = Show("x", (), 1, CENTRE, deck, {**deck.counts, "20": 0}, barred={"15": "why"})
    faces = offered_faces(ask, ("10", "20"), ("back",))
    assert [each.name for each in faces if each.state == "used"] == ["20", "15"]
    assert faces[-2:] == (OfferedFace("20", "used"), OfferedFace("15", "used"))
    assert faces[-4:-2] == (OfferedFace("10", "met"), OfferedFace("back", "met"))
    assert {each.state for each in faces[:-4]} == {"new"}


def revealed(sense: str, *faces: str) -> Answer:
    ask = present(show_ask(MATCH))
    return Answer(MATCH.number, ask.key, faces, None, sense)  # type: ignore[arg-type]


BY_PHONE = revealed("phone", "3", "10", "20")
LEFT_OVER = replace(revealed("camera", "3", "10", "20"), likely="3")


@pytest.mark.parametrize(
    ("middle", "last", "answer", "orders"),
    [
        (None, "10", BY_PHONE, (NAMED,)),
        # the only face that was left
        (None, "10", LEFT_OVER, (NAMED,)),
        # the reader's own likely face teaches it nothing
        (0.97, "10", LEFT_OVER, ()),
        (None, "10", revealed("camera", "3", "10", "20"), ()),
        (None, "10", revealed("clock", "3", "10", "20"), ()),
        # a card that was read for certain is contradicted: nothing is learnt from that
        (None, "10", revealed("phone", "3", "10", "15"), ()),
        (None, "10", revealed("phone", "3", "20"), ()),
        # two unknown cards could be either
        (None, None, BY_PHONE, ()),
    ],
)
def test_answer_names_the_only_unknown_card(
    middle: float | None, last: str | None, answer: Answer, orders: tuple[NameCard, ...]
) -> None:
    cards = (lying(1, "centre", "20"), lying(2, "centre", chance=middle), lying(3, "centre", last))
    assert orders_after(MATCH, cards, unknown(*(2, 3)[: 1 + (last is None)]), answer) == orders


@pytest.mark.parametrize(
    ("answer", "right", "undone"),
    [(BY_PHONE, ("3", "10", "15"), "20"), (LEFT_OVER, ("5", "10", "20"), "3"), (BY_PHONE, None, "")],
)
def test_correction_takes_the_wrong_names_back(
    answer: Answer, right: tuple[str, ...] | None, undone: str
) -> None:
    after = allowed(hear(MATCH, answer))
    orders = orders_after(after, (), (), Correct(after.number, MATCH.number, right))
    assert orders == ((UndoName(undone, MATCH.setup.begun, MATCH.number),) if undone else ())


def test_table_asks_while_answers_count_and_teaches_what_was_accepted() -> None:
    table = replace(state.at_start(MATCH, 1, 0.0)[0], cards=ONE_UNKNOWN, unknown=unknown(2))
    assert [each.unknown.number for each in state.open_questions(table)] == [2]
    assert state.open_questions(replace(table, paused=1.0)) == ()
    writing, _deeds = state.hear_request(table, EntryRequest(BY_PHONE, None), 1.0)
    assert state.open_questions(writing) == ()
    assert NAMED in state.handle_kept(writing, 1, 2.0)[1]
    untaught = state.handle_kept(replace(writing, unknown=None), 1, 2.0)[1]
    assert not [each for each in untaught if isinstance(each, NameCard)]
    # another match forgets the unknown cards
    other = allowed(begin(Setup(GAMES["coup"], GAMES["coup"].rules.house(), NAMES[:3])))
    seated, _deeds = state.hear_request(table, Sitting(other, None, None), 1.0)
    assert state.handle_kept(seated, 2, 2.0)[0].unknown is None


def test_face_whose_copies_all_lie_open_is_used_up() -> None:
    once = next(face for face, most in MATCH.setup.deck.counts.items() if most == 1)
    cards = (lying(1, "centre"), lying(2, "centre", once), lying(3, "centre"))
    first = open_questions(MATCH, cards, unknown(1, 3))[0]
    assert first.lying == {once}
    states = {each.name: each.state for each in offered_faces(first.ask, {once}, (), first.lying)}
    assert states[once] == "used"
    assert list(states.values()).count("used") == 1


def test_only_face_that_rules_leave_is_likely_until_somebody_denies_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = present(show_ask(MATCH))
    known = tuple(lying(number, "centre", face) for number, face in ((2, "20"), (3, "3")))
    card, among = lying(1, "centre"), {"20": 1, "3": 1, "15": 1}

    def answer(*cards: TableCard, among: dict[str, int]) -> Answer | Notice | None:
        monkeypatch.setattr("firmware.table.card_answers.show_ask", lambda _match: replace(ask, among=among))
        return answer_from_cards(MATCH, cards)

    taken = answer(card, *known, among=among)
    assert isinstance(taken, Answer)
    assert taken.likely == "15"
    assert isinstance(answer(replace(card, denied=("15",)), *known, among=among), Notice)
    # two faces are left
    assert isinstance(answer(card, *known, among={**among, "5": 1}), Notice)
