"""One suite that every game passes, in every setting and with every number of players."""

from random import Random

import msgspec
import pytest

from hardware.twin.player import any_answer, play_on
from referee.contract import Answer, Choice, Done, Game, Number, Option, Refusal, Show, Value
from referee.games.catalogue import GAMES
from referee.house_rules import house_rules
from referee.legal import ask_named
from referee.match import (
    Correct,
    Match,
    Setup,
    Step,
    TakeBack,
    begin,
    correct,
    hear,
    log,
    moments,
    rematch,
    standing_answers,
    take_back,
)
from referee.record import read_record, record_lines
from tests.referee.tables import after_any, every_table, new_match

MATCHES = 4


def state_bytes(match: Match) -> bytes:
    """Write the state down."""
    return msgspec.json.encode(match.state)


@every_table
def test_random_play_ends_and_nothing_is_asked_after(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    for _match in range(MATCHES):
        match = play_on(new_match(game, rules, seats), rng)
        assert match.outcome is not None
        assert match.outcome.winners
        assert set(match.outcome.winners) <= set(range(seats))
        late = hear(match, Answer(match.number, "anything", 1, seat=0))
        assert isinstance(late, Refusal)
        assert late.reason == "over"


@every_table
def test_asks_are_well_formed_until_the_end(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats)
    last, opened = 0, frozenset[int]()
    while match.outcome is None:
        numbers = frozenset(getattr(ask, "window", None) or 0 for ask in match.asks) - {0}
        assert all(number > last for number in numbers - opened), "a window that has closed never opens again"
        last, opened = max(numbers, default=last), numbers
        keys = [ask.key for ask in match.asks]
        assert keys, "a match that goes on asks something"
        assert len(set(keys)) == len(keys)
        for ask in match.asks:
            assert set(ask.seats) <= set(range(seats))
            assert something_is_legal(ask)
        match = after_any(match, rng)
    assert match.asks == ()


def something_is_legal(ask: object) -> bool:
    """Tell whether an ask can be answered at all."""
    match ask:
        case Number():
            return any(number not in ask.barred for number in range(ask.least, ask.most + 1))
        case Choice():
            return len(ask.options) == len(set(ask.options)) > 0
        case Show():
            enough = 0 < ask.count <= sum(ask.among.values())
            whole = all(0 <= count <= ask.deck.counts[face] for face, count in ask.among.items())
            return enough and whole and len(ask.must) <= ask.count
        case _:
            return isinstance(ask, Done)


@every_table
def test_refusals_leave_the_state_as_it_was(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats)
    for _answer in range(40):
        before = state_bytes(match)
        for wrong in wrong_answers(match, rng, seats):
            assert isinstance(hear(match, wrong), Refusal), wrong
        assert state_bytes(match) == before
        if match.outcome is not None:
            return
        match = after_any(match, rng)


def wrong_answers(match: Match, rng: Random, seats: int) -> list[Answer]:
    """Make answers that no game may accept."""
    if match.outcome is not None:
        return [Answer(match.number, "anything")]
    right = any_answer(match.asks, match.number, rng)
    ask = ask_named(match.asks, right.ask)
    assert ask is not None
    strange: list[Value] = [-1, 10**9, Option("no such word"), ("no such card",), ()]
    wrong = [Answer(match.number, right.ask, value, right.seat) for value in strange]
    wrong.append(msgspec.structs.replace(right, moment=match.number + 1))
    wrong.append(msgspec.structs.replace(right, ask="no such ask"))
    wrong.append(msgspec.structs.replace(right, moment=-1))
    if ask.seats:
        others = set(range(seats)) - set(ask.seats)
        wrong += [msgspec.structs.replace(right, seat=seat) for seat in (*others, seats, -1)]
    return wrong


@every_table
def test_a_state_survives_being_written_down(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats + 1)
    while match.outcome is None:
        copy = msgspec.json.decode(state_bytes(match), type=game.state)
        assert copy == match.state
        assert game.asks(copy) == match.asks
        match = after_any(match, rng)


@every_table
def test_a_replay_gives_the_same_bytes(game: Game, rules: str, seats: int) -> None:
    rng = Random(seats + 2)
    for _match in range(MATCHES):
        match = play_on(new_match(game, rules, seats), rng)
        reading = read_record(record_lines(match))
        assert reading.fault is None
        assert reading.match is not None
        assert state_bytes(reading.match) == state_bytes(match)
        assert record_lines(reading.match) == record_lines(match)
        assert [moment.rulings for moment in moments(reading.match)] == [m.rulings for m in moments(match)]


@every_table
def test_the_host_takes_everything_back_to_the_root(game: Game, rules: str, seats: int) -> None:
    match = play_on(new_match(game, rules, seats), Random(seats + 3))
    states = [state_bytes(moment) for moment in moments(match)][1:]
    for expected in states:
        number = match.number
        undone = correct(match, Correct(number, standing_answers(match)[-1].heard_at))
        assert not isinstance(undone, Refusal)
        assert state_bytes(undone) == expected
        assert undone.number == number + 1
        match = undone
    assert standing_answers(match) == []
    again = read_record(record_lines(match))
    assert again.fault is None
    assert again.match is not None
    assert state_bytes(again.match) == state_bytes(match)


@every_table
def test_a_player_takes_back_only_what_let_no_cards_out(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats + 4)
    while match.outcome is None:
        after = after_any(match, rng)
        assert isinstance(after.position, Step)
        answer = after.position.answer
        undone = take_back(after, TakeBack(after.number, answer.seat))
        sealed = isinstance(answer.value, tuple) or bool(
            {ruling.key for ruling in after.rulings} & game.no_way_back
        )
        assert isinstance(undone, Refusal) == sealed
        if not isinstance(undone, Refusal):
            assert state_bytes(undone) == state_bytes(match)
            assert undone.asks == match.asks
        match = after


@every_table
def test_answers_of_the_same_instant_are_put_in_order_and_none_is_lost(
    game: Game, rules: str, seats: int
) -> None:
    """The game may note who gave way, and change nothing else in an answer."""
    match, rng = new_match(game, rules, seats), Random(seats + 9)
    while match.outcome is None:
        said = {}
        for _answer in range(seats):
            answer = any_answer(match.asks, match.number, rng)
            said[answer.seat] = answer
        order = game.in_order(match.state, tuple(said.values()))
        assert {one.seat: msgspec.structs.replace(one, tied=()) for one in order} == said
        assert all(set(one.tied) <= set(said) - {one.seat} for one in order)
        match = after_any(match, rng)


@every_table
def test_a_correction_that_changes_nothing_changes_nothing(game: Game, rules: str, seats: int) -> None:
    match, rng = play_on(new_match(game, rules, seats), Random(seats + 5)), Random(seats)
    for step in rng.sample(standing_answers(match), 5):
        same = correct(match, Correct(match.number, step.heard_at, step.answer.value))
        assert not isinstance(same, Refusal)
        assert state_bytes(same) == state_bytes(match)
        assert len(standing_answers(same)) == len(standing_answers(match))
        assert len(log(same)) == len(log(match)) + 1


@every_table
def test_standings_name_every_seat_once(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats + 6)
    while match.outcome is None:
        match = after_any(match, rng)
        standings = game.standings(match.state)
        assert sorted(standing.seat for standing in standings) == list(range(seats))
        places = [standing.place for standing in standings]
        assert places == sorted(places)
        assert places[0] == 1
    winners = {standing.seat for standing in game.standings(match.state) if standing.place == 1}
    assert winners == set(match.outcome.winners)


@every_table
def test_every_viewer_has_a_view_that_can_be_written_down(game: Game, rules: str, seats: int) -> None:
    match, rng = new_match(game, rules, seats), Random(seats + 7)
    for _answer in range(60):
        for viewer in (None, *range(seats)):
            assert msgspec.json.encode(game.view(match.state, viewer))
        if match.outcome is not None:
            return
        match = after_any(match, rng)


@every_table
def test_a_rematch_has_the_same_seats_and_house_rules(game: Game, rules: str, seats: int) -> None:
    match = play_on(new_match(game, rules, seats), Random(seats + 8))
    again = rematch(match)
    assert not isinstance(again, Refusal)
    assert (again.setup.names, again.setup.house) == (match.setup.names, match.setup.house)
    assert again.setup.after == match.outcome
    assert again.number == 0
    assert read_record(record_lines(again)).fault is None


@every_table
def test_the_wrong_number_of_players_is_refused(game: Game, rules: str, seats: int) -> None:
    house = game.settings[rules]
    assert seats in game.seats(house)
    for wrong in set(range(14)) - set(game.seats(house)):
        refusal = begin(Setup(game, house, tuple(f"P{seat}" for seat in range(wrong))))
        assert isinstance(refusal, Refusal)
        assert refusal.reason == "seats"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_house_rule_has_a_default_that_it_takes(game: Game) -> None:
    for rule in house_rules(game):
        assert rule.several or not rule.takes or str(rule.default).lower() in rule.takes


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_all_that_is_agreed_can_be_written_down(game: Game) -> None:
    for house in game.settings.values():
        assert msgspec.json.decode(msgspec.json.encode(house), type=game.house) == house
