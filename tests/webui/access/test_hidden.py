"""No page shows what the rules hide: pages see of a state only what its game lets this viewer see."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.start.pages.look_door import Looks
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from referee.contract import Game
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import Match, Step
from referee.record import ParsedRecord
from tests.referee.tables import TABLES, after_any, new_match
from tests.tiers import slow, tiered
from tests.webui.access.channels import channels, plain, unshown_in_channels
from tests.webui.access.hiding import (
    CODES,
    HOST,
    LINKS,
    LeakReport,
    look_at_files,
    look_at_pages,
    note,
    room_at,
    secrets,
    states,
    unshown_cards,
)
from tests.webui.access.sealing import CANARY, seal_match, unseal
from tests.webui.fakes import Noted
from tests.webui.listening import listen
from tests.webui.room import room_with
from webui.server.film_drawing import StepEvidence, step_values
from webui.server.templates import Drawer

LAST = {table.values[0].name: table for table in TABLES}  # type: ignore[attr-defined]
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
MOMENTS = 40


@pytest.mark.parametrize(("game", "rules", "seats"), tiered([*LAST.values()], TABLES))
def test_pages_and_channels_see_what_their_viewer_may(
    game: Game, rules: str, seats: int, tmp_path: Path
) -> None:
    rng, drawer = Random(f"{game.name} {rules} {seats}"), Drawer(Looks())
    match, viewers = new_match(game, rules, seats), set[int | None]()
    past = Noted(match=lambda _number: ParsedRecord(seal_back(match, viewers)))
    room = room_with(match, tmp_path, history=past)
    looked = {*rng.sample(range(MOMENTS), 3), MOMENTS}
    for moment in range(MOMENTS + 1):
        if moment in looked or not match.asks:
            room.door.match, seat = seal_match(match, viewers), rng.randrange(seats)
            phone, stranger = room.browser().sit(seat), room.browser()
            viewers.clear()
            for page in ("/", "/overlay", "/screen", "/history/1", "/history/1.json", "/table.json"):
                response = stranger.get(page)
                assert response.status_code == 200
                assert CANARY not in response.text
            assert CANARY not in next(listen(room))["data"]
            assert CANARY.encode() not in msgspec.json.encode(plain(channels(room.door.match)))
            film = film_of(room.door.match)
            values = step_values(drawer.book, film, film.last, language("en"), StepEvidence())
            more = {"film_home": "", "imagined": False}
            assert CANARY not in drawer.fragment("film_step", language("en"), {**values, **more})
            assert viewers == {None}
            heard = next(listen(room, "seat", seat=seat))["data"]
            assert CANARY not in phone.get("/seat").text + phone.get("/").text + heard
            assert viewers == {None, seat}
        if not match.asks:
            break
        match = after_any(match, rng)


def seal_back(match: Match, viewers: set[int | None]) -> Match:
    """Seal every state of a match, also those that its answers lead back to."""
    shut = seal_match(match, viewers)

    def seal_position(position: Any) -> Any:
        sealed = replace(position, state=type(shut.state)(unseal(position.state)))
        return replace(sealed, before=seal_position(position.before)) if isinstance(position, Step) else sealed

    return replace(shut, position=seal_position(match.position))


def test_the_seal_holds() -> None:
    match = seal_match(new_match(GAMES["coyote"], "kidult", 3), set())
    with pytest.raises(AssertionError):
        _ = match.state.marks
    assert f"{match.state}" == CANARY


# no state holds a hidden card, and no page shows a secret to the wrong viewer


@slow("hidden cards: each game, with dealt cards")
@each_game
def test_no_state_and_no_channel_names_a_card_that_was_not_shown(game: Game) -> None:
    found = 0
    for table, said in islice(states(game, Random(game.name)), tiered(120, 2000)):
        assert not unshown_cards(table, said)
        if not table.match.number % 3:
            assert unshown_in_channels(table, said) == {}
            # the same with nothing said finds what was: the search sees something
            found += bool(unshown_in_channels(table, frozenset()))
    assert found


@slow("each page as each viewer")
# what lets people in doesn't depend on the game
@pytest.mark.parametrize("name", tiered(["coyote"], [*GAMES]))
def test_no_page_lets_in_whom_it_should_not(name: str, tmp_path: Path) -> None:
    looked, game = LeakReport(), GAMES[name]
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        table, _said = next(islice(states(game, Random(game.name)), 60, None))
        room = room_at(table.match, tmp_path, opened.journal)
        host = room.browser().host()
        assert host.links.codes[0] in host.get("/host/people/0").text
        look_at_pages(room, looked)
    look_at_files(tmp_path, looked)
    assert looked.texts > 50
    assert looked.found == []


def test_a_page_that_lets_in_a_stranger_is_found() -> None:
    looked = LeakReport()
    evening = replace(LINKS, codes=CODES)
    note(looked, "page", f"<p>{evening.pin}</p>", secrets(evening, 1))
    note(looked, "page", f"<p>{evening.pin} {CODES[1]}</p>", secrets(evening, HOST))
    note(looked, "page", f"<p>{CODES[1]}</p>", secrets(evening, 2))
    assert looked.found == ["page: 918273", f"page: {CODES[1]}"]
