"""The welcome: a game is chosen by its picture, then who plays; the simulated table itself asks for no PIN."""

from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from hardware.decks.catalogue import PRINTED
from hardware.decks.look import LOOKS
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.webui.coyote_round import open_round
from tests.webui.fakes import FakeTwin
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.drawing.match_form import begin_agreed_match, own_seat, read_form

FAR = "192.0.2.44"
NAMES = {"seat-0": "Ana", "seat-1": "Bo", "seat-3": "Chloé"}


@pytest.fixture
def twin() -> FakeTwin:
    return FakeTwin()


@pytest.fixture
def room(twin: FakeTwin, tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, twin=twin)


def test_three_taps_and_one_plays_against_bots(room: Room, twin: FakeTwin) -> None:
    browser = room.browser()
    chosen = browser.send("/welcome", "/welcome", game="coup")
    assert chosen.location == "/host/new?game=coup&me=0"
    names = browser.get(chosen.location)
    assert 'name="me" value="0"' in names.text
    begun = browser.post("/host/new", **hidden_fields(names.text, "/host/new"), **NAMES, me="3", bots="on")
    assert begun.location == "/twin"
    assert (room.door.match.setup.game.name, room.door.match.setup.names) == ("coup", ("Ana", "Bo", "Chloé"))
    assert twin.bots == {0, 1}
    assert twin.strength == "plain"
    assert "You are Chloé." in browser.get("/seat").text


def test_bots_play_as_well_as_was_chosen_and_nothing_else_is_believed(room: Room, twin: FakeTwin) -> None:
    browser = room.browser()
    names = browser.get(browser.send("/welcome", "/welcome", game="coyote").location)
    fields = hidden_fields(names.text, "/host/new")
    for wished, got in (("strong", "strong"), ("unbeatable", "strong"), ("beginner", "beginner")):
        browser.post("/host/new", **fields, **NAMES, me="0", bots="on", strength=wished)
        assert twin.strength == got


def test_bots_play_only_if_they_are_asked_to(room: Room, twin: FakeTwin) -> None:
    browser = room.browser()
    names = browser.get(browser.send("/welcome", "/welcome", game="coyote").location)
    browser.post("/host/new", **hidden_fields(names.text, "/host/new"), **NAMES, me="0")
    assert twin.bots == set()


def begin_coyote(browser: Browser, me: int) -> TestResponse:
    names = browser.get(browser.send("/welcome", "/welcome", game="coyote").location)
    return browser.post("/host/new", **hidden_fields(names.text, "/host/new"), **NAMES, me=str(me))


def test_who_comes_back_sits_where_they_sat_and_who_comes_new_at_the_first_free_seat(room: Room) -> None:
    ana, other = room.browser(), room.browser()
    assert begin_coyote(ana, 0).location == "/twin"
    assert ana.send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup&me=0"
    assert other.send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup&me=1"
    assert begin_coyote(other, 1).location == "/twin"
    assert other.send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup&me=1"


def test_no_match_begins_with_somebody_at_another_person_s_seat(room: Room) -> None:
    ana, other = room.browser(), room.browser()
    begin_coyote(ana, 0)
    before = room.door.match
    answer = begin_coyote(other, 0)
    assert answer.status_code == 409
    assert "choose another seat" in answer.text
    assert room.door.match is before
    assert "You are Ana." in ana.get("/seat").text
    assert begin_coyote(ana, 0).location == "/twin"


def test_from_elsewhere_the_pin_comes_first(room: Room, tmp_path: Path) -> None:
    for phone in (room.browser(FAR), room_with(match_of(), tmp_path / "real").browser()):
        assert phone.get("/welcome").location == "/host"
        assert phone.post("/welcome", game="coup").location == "/host"
        assert 'name="pin"' in phone.get("/host").text
        host = phone.host()
        assert host.send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup"
        assert 'name="me"' not in host.get("/host/new?game=coup&me=0").text


def test_other_sites_choose_nothing(room: Room) -> None:
    browser = room.browser()
    browser.get("/welcome")
    assert browser.post("/welcome", game="coup", form="x").status_code == 403
    assert browser.send("/welcome", "/welcome", game="chess").status_code == 400
    assert 'name="pin"' in browser.get("/host").text


def test_a_match_that_goes_on_is_offered_first(room: Room) -> None:
    assert "Go on" not in room.browser().get("/welcome").text
    room.door.tell(open_round(room.door.match))
    assert "Go on: Coyote with Ana, Bo" in room.browser().get("/welcome").text


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_says_what_it_is_about_and_shows_cards(game: Game) -> None:
    assert game.words.pitch is not None
    poster = LOOKS[game.name].poster
    assert len(poster) == 3
    assert set(poster) <= set(PRINTED[game.deck(game.house()).name].faces)


def test_only_rows_of_the_edition_count() -> None:
    coyote = GAMES["coyote"]
    said = {"seat-0": ["Ana"], "seat-1": ["Bo"], "seat-2": ["Eve"], "rule-powers": ["skip", "double"]}
    said |= {"rule-boxes": ["2"], "rule-t_multi": ["true"], "rule-edition": ["kidult"]}
    kidult = begin_agreed_match(coyote, read_form(coyote, said), "")
    assert isinstance(kidult, Match)
    assert (kidult.setup.house.boxes, kidult.setup.house.powers) == (1, ("double",))
    oliphante = begin_agreed_match(coyote, read_form(coyote, said | {"rule-edition": ["oliphante"]}), "")
    assert isinstance(oliphante, Match)
    assert (oliphante.setup.house.boxes, oliphante.setup.house.powers) == (2, ("skip",))


def test_ones_own_seat_is_counted_without_the_fields_left_empty() -> None:
    said = {name: [value] for name, value in NAMES.items()}
    assert own_seat({**said, "me": ["3"]}) == 2
    for nothing in ("", "2", "x", "99"):
        assert own_seat({**said, "me": [nothing]}) is None
    assert own_seat(said) is None
