"""A hand on the twin's page: what it lays, the real eyes read; what it may not touch, it can't."""

from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.core.door import Subscription, TableSummary
from firmware.start.pages.twin_door import SimulatedTable, bot_seats
from firmware.storage.table_zones import seat_zones
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import Bots
from firmware.twin.simulated_board import BoardMonitor, WatchedPin
from firmware.twin.world import Fingers, World
from hardware.board.board import our_boards
from referee.contract import Answer, Choice, Game, Number, Option, Show, Span, Zone
from referee.games.coup import COUP
from referee.games.coup.house import House as CoupHouse
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.house import House as DealHouse
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.games.ogallala import OGALLALA
from referee.match import Match, Setup, begin, hear, standing_answers
from tests.firmware.core import tables
from tests.firmware.core.tables import until
from tests.referee.games.ogallala.script import begin_midway
from webui.doors.simulated_table import RequestedPose


def begin_match(game: Game, house: object, *names: str) -> Match:
    match = begin(Setup(game, house, names, begun="2026-12-24"))
    assert isinstance(match, Match)
    return match


class Played:
    """The companion with real eyes, bots at all seats but the first, and a hand on the page."""

    def __init__(self, match: Match, folder: Path, first: int = 1) -> None:
        """Set the table."""
        self.table = tables.Twin(match, folder)
        self.door = self.table.companion.door
        seats = frozenset(range(first, len(match.setup.names)))
        self.bots = Bots(seats, self.door, self.table.world, Random(1))
        factory = MockFactory(pin_class=WatchedPin)
        shining = BoardMonitor(tables.SIX, factory)
        self.twin = SimulatedTable(self.door, self.table.world, self.table.fingers, self.bots, shining)

    def close(self) -> None:
        """Clear the table."""
        self.bots.close()
        self.table.close()

    def say(self, ask: str, value: int | Option, seat: int | None) -> None:
        """Answer as a phone does."""
        self.door.submit(Answer(self.door.moment().number, ask, value, seat, "phone")).result(30)


def ask_named(match: Match, kind: type, seat: int | None) -> str | None:
    """Name what is asked of a seat, or of the table."""
    wanted = () if seat is None else (seat,)
    return next((ask.key for ask in match.asks if isinstance(ask, kind) and ask.seats == wanted), None)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAUSE", 0.1)
    monkeypatch.setattr(bots, "LONGEST", 0.1)


def test_a_round_of_coyote_is_played_from_the_page_and_read_by_the_camera(tmp_path: Path) -> None:
    played = Played(begin_match(COYOTE, House(), "Ana", "Bo", "Chloé"), tmp_path)
    try:
        door, twin = played.door, played.twin
        played.say("opener", Option("opens", seat=0), None)
        truth = played.table.world.truth(door.moment())
        shown = twin.table(0)
        assert [card.face for card in shown.chairs[0].cards] == [None]
        assert [card.face for card in shown.chairs[1].cards] == [*truth[Zone("worn", 1)]]
        played.say("announce", 900, 0)
        until(lambda: any(isinstance(ask, Show) for ask in door.moment().asks))
        until(lambda: len(twin.table(0).laid) == 2)
        assert twin.lay(0, "worn", 0, RequestedPose(0.0, 60.0, 170.0))
        assert not twin.lay(0, "worn", 0, None)
        until(lambda: door.moment().state.round == 2)
        answer = standing_answers(door.moment())[-1].answer
        assert answer.sense == "camera"
        assert isinstance(answer.value, tuple)
        worn = [card for seat in range(3) for card in truth[Zone("worn", seat)]]
        assert Counter(answer.value) == Counter(worn)
        until(lambda: twin.table(0).laid == ())
    finally:
        played.close()


@pytest.mark.parametrize(
    ("game", "house", "names", "cards"),
    [
        (COUP, CoupHouse(), ("Ana", "Bo"), 1),
        (COUP_D_ETAT, DealHouse(), ("Ana", "Bo", "Chloé"), 6),
    ],
)
def test_bots_have_their_cards_read_by_the_camera(
    game: Game, house: object, names: tuple[str, ...], cards: int, tmp_path: Path
) -> None:
    """So many are enough here; whole matches are played by `tests/long/twin.py`."""
    played = Played(begin_match(game, house, *names), tmp_path, first=0)

    def read() -> list[Answer]:
        return [
            step.answer
            for step in standing_answers(played.door.moment())
            if isinstance(step.answer.value, tuple)
        ]

    try:
        until(lambda: len(read()) >= cards or played.door.moment().outcome is not None)
        assert {answer.sense for answer in read()} == {"camera"}
    finally:
        played.close()


def test_a_row_is_pushed_under_the_camera_and_compared_with_the_record(tmp_path: Path) -> None:
    match = begin_midway("B keg", "fur").match
    played = Played(match, tmp_path, first=2)
    door, twin = played.door, played.twin
    (grid,) = [grid for grid in OGALLALA.grids(OGALLALA.view(match.state, 0)) if grid.seat == 0]

    def ruling_keys() -> list[str]:
        return [ruling.key for ruling in door.compare().result(30).rulings]

    try:
        assert not twin.bring(), "nothing is compared"
        door.audit(Span(0, grid.first, len(grid.rows[0]))).result(30)
        assert twin.table(0).is_compared
        assert twin.bring()
        assert twin.table(0).is_brought
        until(lambda: ruling_keys() == ["agrees"])
        lying_there = twin.table(0).laid
        assert twin.take(0, lying_there[0].number)
        until(lambda: ruling_keys() == ["missing"])
        assert twin.put_back()
        assert twin.table(0).laid == ()
        assert not twin.put_back()
        door.end_audit().result(30)
        assert not twin.table(0).is_compared
        assert door.moment() is match
    finally:
        played.close()


class Still:
    """A world without eyes or bots."""

    def __init__(self, match: Match, folder: Path) -> None:
        """Set the table."""
        self.match = match
        board, factory = our_boards()["full"], MockFactory(pin_class=WatchedPin)
        self.world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), folder / "camera.bmp")
        self.fingers, self.seats, self.looks = Fingers(board, factory), frozenset({1}), 0
        self.twin = SimulatedTable(self, self.world, self.fingers, self, BoardMonitor(board, factory))  # type: ignore[arg-type]

    def moment(self) -> Match:
        """Give the moment, as a door does."""
        return self.match

    def state(self) -> TableSummary:
        """Tell how the table is kept, as a door does."""
        return TableSummary()

    def is_showing(self, _match: Match) -> bool:
        """Leave no card lying, as a door without bots does."""
        return False

    def picture(self) -> "Future[object]":
        """See nothing, as a door without eyes does."""
        future: Future[object] = Future()
        future.cancel()
        return future

    def look_again(self) -> None:
        """Count, as bots do."""
        self.looks += 1


@pytest.fixture
def still(tmp_path: Path) -> object:
    table = Still(begin_match(COUP, CoupHouse(), "Ana", "Bo", "Chloé"), tmp_path)
    yield table
    table.world.close()


def test_a_card_is_laid_moved_turned_and_taken_back(still: Still) -> None:
    twin = still.twin
    hand = [card.face for card in twin.table(0).chairs[0].cards]
    assert not twin.lay(0, "hand", 0, None), "it isn't asked for"
    assert twin.lay(0, "hand", 0, RequestedPose(-10.0, 20.0))
    (laid,) = twin.table(0).laid
    assert laid.face is None, "it wasn't asked for"
    assert [card.face for card in twin.table(0).chairs[0].cards] == hand[1:]
    assert twin.move(0, laid.number, RequestedPose(30.0, 40.0, 90.0, is_up=True))
    (seen,) = twin.table(2).laid
    assert (seen.face, seen.x, seen.y, seen.angle, seen.may) == (hand[0], 30.0, 40.0, 90.0, False)
    assert not twin.take(2, laid.number)
    assert not twin.move(2, laid.number, RequestedPose(0.0, 0.0))
    assert not twin.lift(2, laid.number)
    assert twin.take(0, laid.number)
    assert twin.table(0).laid == ()
    assert Counter(card.face for card in twin.table(0).chairs[0].cards) == Counter(hand)


def test_no_seat_lays_the_cards_of_others_or_of_the_pile(still: Still) -> None:
    for where, place in (("hand", 2), ("hand", -1), ("worn", 0), ("pile", 8), ("nowhere", 0), ("centre", 0)):
        assert not still.twin.lay(0, where, place, RequestedPose(0.0, 0.0))
    assert still.twin.table(0).laid == ()


def test_a_hand_is_put_in_another_order(still: Still) -> None:
    hand = [card.face for card in still.twin.table(0).chairs[0].cards]
    assert still.twin.arrange(0, 0, 1)
    assert [card.face for card in still.twin.table(0).chairs[0].cards] == hand[::-1]


def test_mischief_comes_and_goes(still: Still) -> None:
    twin = still.twin
    for what in ("unplugged", "hand", "dirty", "extra"):
        assert twin.mischief(what)
    assert set(twin.table(None).wrong) == {"unplugged", "hand", "dirty", "extra"}
    assert twin.camera() is None
    assert twin.mischief("frozen")
    assert "frozen" in twin.table(None).wrong
    assert twin.mischief("wrong")
    twin.set_right()
    assert twin.table(None).wrong == ()
    assert twin.table(None).laid == ()
    assert still.looks == 1
    assert not twin.mischief("fire")
    assert not twin.mischief("wrong"), "nothing lies there"


def test_a_wrong_card_is_not_told_as_one_too_many(still: Still) -> None:
    twin = still.twin
    assert twin.lay(0, "hand", 0, RequestedPose(-10.0, 20.0))
    assert twin.mischief("wrong")
    assert twin.table(None).wrong == ("wrong",)
    twin.set_right()
    assert twin.table(None).wrong == ()


def test_the_camera_shows_a_small_picture(still: Still) -> None:
    assert still.world.shown.wait(30)
    picture = still.twin.camera()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")


def test_pictures_are_those_of_the_deck_that_is_played_with(still: Still) -> None:
    picture = still.twin.picture("coup", "duke")
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert still.twin.picture("coup", "back") is not None
    assert still.twin.picture("coup", "20") is None
    assert still.twin.picture("piquet", "As") is None


def test_a_dirty_button_bounces_and_ends_as_it_should(still: Still) -> None:
    still.fingers.is_dirty = True
    assert still.twin.press(0, "call", "short")
    assert not still.twin.press(None, "call", "short"), "there is none on this board"
    assert still.twin.turn(1)
    assert not still.twin.turn(5000)


@pytest.mark.parametrize(
    ("bots_wished", "seats_wished", "seats", "wanted"),
    [(None, None, 4, {1, 2, 3}), (None, "Ana,Bo", 2, set()), (1, "Ana,Bo", 2, {1}), (9, None, 3, {0, 1, 2})],
)
def test_bots_sit_where_no_player_was_named(
    bots_wished: int | None, seats_wished: str | None, seats: int, wanted: set[int]
) -> None:
    class Wish:
        bots, seats = bots_wished, seats_wished

    assert bot_seats(Wish, seats) == wanted  # type: ignore[arg-type]


def test_a_bot_may_be_sat_down_and_sent_away(tmp_path: Path) -> None:
    played = Played(begin_match(COYOTE, House(), "Ana", "Bo"), tmp_path, first=0)
    try:
        played.bots.leave(0)
        until(lambda: ask_named(played.door.moment(), Choice, None) is None or played.bots.seats == {1})
        played.twin.play_for(0)
        until(lambda: ask_named(played.door.moment(), Number, 0) or played.door.moment().number > 2)
        assert played.bots.seats == {0, 1}
    finally:
        played.close()


class QuickDoor:
    """A door at which an answer comes before the bots have put the cards away."""

    def __init__(self, match: Match) -> None:
        """Stand before a match."""
        self.match, self.listening = match, Subscription(lambda _listening: None)
        self.said: list[object] = []

    def moment(self) -> Match:
        """Give the moment that stands."""
        return self.match

    def state(self) -> TableSummary:
        """Go on."""
        return TableSummary()

    def subscribe(self) -> Subscription:
        """Listen."""
        return self.listening

    def submit(self, entry: object, _begun: str | None = None) -> None:
        """Let bots say what they like."""
        self.said.append(entry)

    def tell(self, *answers: Answer) -> None:
        """Hear answers one after the other, as fast as can be."""
        for answer in answers:
            after = hear(self.match, answer)
            assert isinstance(after, Match)
            self.match = after
            self.listening.give(after)


def test_cards_are_put_away_however_quick_the_next_answer_is(tmp_path: Path) -> None:
    match = begin_match(COYOTE, House(), "Ana", "Bo")
    world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), tmp_path / "camera.bmp")
    door = QuickDoor(match)
    players = Bots(frozenset({1}), door, world, Random(1))  # type: ignore[arg-type]
    try:
        door.tell(Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 50, 0))
        door.tell(Answer(2, "turn", Option("coyote"), 1))
        until(lambda: len(world.sight(door.match, None).lying) == 1)
        cards = tuple(world.truth(door.match)[Zone("worn", seat)][0] for seat in (0, 1))
        door.tell(Answer(3, "reveal", cards), Answer(4, "announce", 1, 0))
        until(lambda: not world.sight(door.match, None).lying)
    finally:
        players.close()
        world.close()


def test_after_a_reveal_nothing_goes_on_before_people_have_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds in ("LONGEST", "READING", "PATIENCE"):
        monkeypatch.setattr(bots, seconds, 3600.0)
    match = begin_match(COYOTE, House(), "Ana", "Bo")
    world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), tmp_path / "camera.bmp")
    door = QuickDoor(match)
    players = Bots(frozenset({1}), door, world, Random(1))  # type: ignore[arg-type]
    shining = BoardMonitor(tables.SIX, MockFactory(pin_class=WatchedPin))
    twin = SimulatedTable(door, world, Fingers(tables.SIX, MockFactory()), players, shining)  # type: ignore[arg-type]
    try:
        door.tell(Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 50, 0))
        door.tell(Answer(2, "turn", Option("coyote"), 1))
        until(lambda: len(world.sight(door.match, None).lying) == 1)
        cards = tuple(world.truth(door.match)[Zone("worn", seat)][0] for seat in (0, 1))
        door.tell(Answer(3, "reveal", cards))
        until(lambda: twin.table(0).is_showing)
        seen = twin.table(0)
        assert len(seen.laid) == 1
        assert [chair.cards for chair in seen.chairs] == [(), ()], "what comes next isn't drawn yet"
        twin.hurry()
        until(lambda: not twin.table(0).is_showing)
        until(lambda: twin.table(0).laid == ())
        assert [len(chair.cards) for chair in twin.table(0).chairs] == [1, 1]
    finally:
        players.close()
        world.close()


def test_a_bot_whose_seat_a_person_takes_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAUSE", 3600.0)
    match = begin_match(COYOTE, House(), "Ana", "Bo")
    world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), tmp_path / "camera.bmp")
    door = QuickDoor(match)
    players = Bots(frozenset({0, 1}), door, world, Random(1))  # type: ignore[arg-type]
    try:
        door.tell(Answer(0, "opener", Option("opens", seat=0)))
        players.leave(0)
        players.leave(1)
        players.hurry()
        assert players.seats == frozenset()
    finally:
        players.close()
        world.close()
    assert door.said == [], "neither bot had thought long enough to speak"
