"""No page shows what the rules hide: pages see of a state only what its game lets this viewer see."""

from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, enter
from tests.referee.tables import NAMES, new_match, outer_tables
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
from tests.webui.access.sealing import CANARY, seal_match
from tests.webui.listening import listen
from tests.webui.room import Room, room_with

STATES = 400


def pages_of(room: Room, seat: int | None) -> list[str]:
    """Fetch all that a viewer can see, events as well."""
    if seat is None:
        return [room.browser().get("/").text, next(listen(room))["data"]]
    phone = room.browser().sit(seat)
    return [phone.get("/seat").text, phone.get("/").text, next(listen(room, "seat", seat=seat))["data"]]


@outer_tables
def test_pages_see_what_their_viewer_may(game: Game, rules: str, seats: int, tmp_path: Path) -> None:
    rng = Random(f"{game.name} {rules} {seats}")
    match = new_match(game, rules, seats)
    room = room_with(match, tmp_path)
    looked = set(rng.sample(range(80), 4))
    for moment in range(80):
        if moment in looked or not match.asks:
            viewers: set[int | None] = set()
            room.door.match = seal_match(match, viewers)
            seat = rng.randrange(seats)
            for page in pages_of(room, None):
                assert CANARY not in page
            assert viewers == {None}
            for page in pages_of(room, seat):
                assert CANARY not in page
            assert viewers == {None, seat}
        if not match.asks:
            break
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after


def test_the_seal_holds() -> None:
    match = seal_match(new_match(GAMES["coyote"], "kidult", len(NAMES[:3])), set())
    with pytest.raises(AssertionError):
        _ = match.state.marks
    assert f"{match.state}" == CANARY


# no state holds a hidden card, and no page shows a secret to the wrong viewer


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_state_names_a_card_that_was_not_shown(game: Game) -> None:
    for table, said in islice(states(game, Random(game.name)), STATES):
        assert not unshown_cards(table, said)


def test_a_card_that_was_not_shown_is_found() -> None:
    game = GAMES["coyote"]
    table, said = next(states(game, Random(1)))
    for hidden in {card for cards in table.truth.values() for card in cards} - said:
        state = replace(table.match.state, discard=(hidden,))
        position = replace(table.match.position, state=state)
        assert unshown_cards(replace(table, match=replace(table.match, position=position)), said) == {hidden}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_page_lets_in_whom_it_should_not(game: Game, tmp_path: Path) -> None:
    looked = LeakReport()
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


@outer_tables
def test_channels_see_what_a_spectator_may(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"channels {game.name} {rules} {seats}")
    match = new_match(game, rules, seats)
    looked = set(rng.sample(range(80), 6))
    for moment in range(80):
        if not match.asks:
            break
        if moment in looked:
            viewers: set[int | None] = set()
            told = msgspec.json.encode(plain(channels(seal_match(match, viewers))))
            assert CANARY.encode() not in told
            assert viewers == {None}
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_channels_name_no_card_that_wasnt_laid_or_said(game: Game) -> None:
    looked = 0
    for table, said in islice(states(game, Random(f"channels {game.name}")), 100):
        assert unshown_in_channels(table, said) == {}
        # the same with nothing said finds what was: the search sees something
        looked += bool(unshown_in_channels(table, frozenset()))
    assert looked
