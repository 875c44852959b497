"""A new match: game, names, house rules; what doesn't go together is said, and nothing typed is lost."""

import re

import pytest

from firmware.language.catalogues import language
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.house_rules import house_rules
from referee.match import Match
from referee.telling import Listener, tell_rule_value
from tests.webui.coyote_round import open_round
from tests.webui.room import Room, match_of
from webui.drawing.match_form import RULE, begin_agreed_match, fields_of, form_of_match, most_seats, read_form
from webui.drawing.words import Texts


def fields(page: str) -> dict[str, list[str]]:
    """Read a page's form as a browser would send it."""
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", page):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if said.get("type") not in {"checkbox", "radio"} or " checked" in tag:
            sent.setdefault(said["name"], []).append(said.get("value", ""))
    for name, options in re.findall(r'<select name="([^"]*)">(.*?)</select>', page, re.DOTALL):
        sent[name] = re.findall(r'value="([^"]*)"(?= selected)', options) or [options.split('"')[1]]
    return sent


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_form_that_is_sent_as_it_is_drawn_begins_by_the_default_rules(room: Room, game: Game) -> None:
    host = room.browser().host()
    sent = fields(host.get(f"/host/new?game={game.name}").text)
    assert host.client.post("/host/new", data=sent).status_code == 303
    assert room.door.match.setup.game is game
    assert room.door.match.setup.house == game.house()
    assert room.door.match.setup.names == ("Ana", "Bo", "Chloé &lt;b&gt;")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_was_agreed_comes_back_as_it_was(game: Game) -> None:
    for house in game.settings.values():
        seats = game.seats(house).start
        match = match_of(game, seats, house)
        form = form_of_match(match)
        said = {f"seat-{seat}": [name] for seat, name in enumerate(form.names)}
        said |= {f"rule-{name}": text.split(",") for name, text in form.agreed.items() if text != "false"}
        again = begin_agreed_match(game, read_form(game, said), "")
        assert isinstance(again, Match)
        assert again.setup.house == house
        assert again.setup.names == match.setup.names


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_house_rule_says_what_it_may_be_in_words(game: Game) -> None:
    listener = Listener(game.words, (), language("en"))
    for rule in house_rules(game):
        for value in rule.takes:
            told = tell_rule_value(listener, rule.name, value)
            assert value in {"true", "false"} or value.isdecimal() or told != value, (rule.name, value)
    fields_asked = [field.name for field in fields_of(game, listener, {})]
    assert fields_asked == [RULE + rule.name for rule in house_rules(game) if rule.name != "box"]
    assert most_seats(game) >= game.seats(game.house()).stop - 1


def test_there_are_fields_for_all_who_can_play_by_any_house_rule() -> None:
    assert {name: most_seats(game) for name, game in GAMES.items()} == {
        "coyote": 12, "coup": 6, "coup-d-etat": 4, "plenty-coups": 6, "ogallala": 5
    }  # fmt: skip


def test_what_does_not_go_together_is_said_and_nothing_typed_is_lost(room: Room) -> None:
    host, before = room.browser().host(), room.door.match
    sent = fields(host.get("/host/new?game=coyote").text)
    for change, line in (
        ({"seat-1": ["Ana"]}, "Every player needs a name"),
        ({"seat-0": [""], "seat-1": [""], "seat-2": [" "]}, "can play this, not 0"),
        ({"rule-edition": ["mine"]}, "edition can&#39;t be"),
        ({"rule-edition": ["oliphante"], "rule-skip_tokens": ["-1"]}, "skip_tokens can&#39;t be"),
        ({"rule-edition": ["oliphante"], "rule-skip_tokens": ["9"]}, "there can be 0 to 8 tokens"),
    ):
        page = host.client.post("/host/new", data={**sent, **change})
        assert page.status_code == 400
        assert line in page.text
        assert "Chloé" in page.text or "seat-2" in change
    assert room.door.match is before


def test_only_the_host_begins_a_match(room: Room) -> None:
    host, guest = room.browser().host(), room.browser().sit(0)
    sent = fields(host.get("/host/new?game=coyote").text)
    before = room.door.match
    assert guest.get("/host/new").status_code == 303
    assert guest.client.post("/host/new", data=sent).status_code == 403
    assert host.client.post("/host/new", data={**sent, "form": ["x"]}).status_code == 403
    assert host.client.post("/host/new", data={**sent, "game": ["chess"]}).status_code == 400
    assert room.door.match is before


def test_another_game_keeps_the_names_that_sit_there(room: Room) -> None:
    page = room.browser().host().get("/host/new?game=coup").text
    assert 'value="Ana"' in page
    assert Texts.stays_open.one not in page
    room.door.tell(open_round(room.door.match))
    assert Texts.stays_open.one in room.browser().host().get("/host/new?game=coup").text


def test_a_table_that_cannot_keep_it_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    host = room.browser().host()
    sent = fields(host.get("/host/new?game=coyote").text)
    monkeypatch.setattr(room.door, "sit", lambda _match: room.door.table_is_right())
    page = host.client.post("/host/new", data=sent)
    assert page.status_code == 409
    assert "told: table agrees" in page.text


def test_a_match_is_played_with_the_box_whose_deck_was_taught() -> None:
    game = GAMES["ogallala"]
    form = read_form(game, {"seat-0": ["Ana"], "seat-1": ["Bo"]})
    match = begin_agreed_match(game, form, "", lambda game, house: game.boxed(house, {"keg": 5}))
    assert isinstance(match, Match)
    assert game.deck(match.setup.house).counts["keg"] == 5
    assert "box" not in form_of_match(match).agreed
