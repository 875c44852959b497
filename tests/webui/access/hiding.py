"""A search for secrets in all output: states, views, pages, events, exports, files.

The referee sees no hand, so its state may only name cards that were laid or claimed. PIN, codes and tokens may
only be on the pages of the host and of their own seat.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from flask import Flask
from msgspec import Struct
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from firmware.storage.journal import Journal
from firmware.storage.people.evening import Evening, seated_match
from firmware.storage.people.links import computer_token
from firmware.table.client import TableSummary
from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.announcing import announce
from referee.contract import Choice, Game, Refusal
from referee.match import Match, standing_answers
from referee.public_moment import public_moment
from referee.summaries import JournalMatch, day_of, summary_of
from tests.referee.tables import TABLES, new_match
from tests.webui.access.letting_in import HOST_TOKEN, SEAT_TOKEN, with_all_seats
from tests.webui.fakes import LocalFilms
from tests.webui.room import Room, listen, room_with
from webui.server.drawn_pages import overlay_at
from webui.views.film_step import scene_of, sentences_of
from webui.views.final_score import evening_of, final_score
from webui.views.looks import LookBook

BOOK = LookBook(Looks())
NAMED = frozenset({"face", "faces"})  # fields that name cards


def channels(match: Match) -> dict[str, Any]:
    """Return each channel's output for a moment; films and their files use such scenes."""
    spoken = language("en")
    look = BOOK.look_of(match)
    entry = JournalMatch(1, summary_of(match))
    return {
        "/table.json, /events/table": public_moment(match, spoken),
        "/overlay, /events/overlay": overlay_at(match, spoken, look),
        "film, its file": (scene_of(match, spoken, look), sentences_of(match, spoken)),
        "announcer": announce(match, spoken, "play"),
        "score.png": final_score(match, spoken),
        "/evenings": evening_of([entry], day_of(match.setup.begun), spoken),
    }


def plain(told: Any) -> Any:
    return msgspec.to_builtins(told, enc_hook=str)


def unshown_in_channels(table: DealtMatch, said: frozenset[str]) -> dict[str, set[str]]:
    match = table.match
    faces = frozenset(match.setup.game.table.deck(match.state.house).counts)
    told = {where: set(_faces_in(plain(what))) for where, what in channels(match).items()}
    return {where: (named & faces) - said for where, named in told.items() if (named & faces) - said}


def _faces_in(values: Any, *, is_card: bool = False) -> Iterator[str]:
    match values:
        case str():
            yield from (values,) if is_card else ()
        case dict():
            for key, value in values.items():
                yield from _faces_in(value, is_card=is_card or key in NAMED)
        case list() | tuple():
            for value in values:
                yield from _faces_in(value, is_card=is_card)


WORD = re.compile(r'"((?:[^"\\]|\\.)*)"')
COULD = re.compile(r'"fits":\[[^]]*\]')
"""Cards that a state lists only as possibilities."""
CODES = ("QXZK", "ZKQX", "XQKZ", "KZXQ", "QKXZ", "ZQKX", "KQXZ", "XZQK")
LINKS = Evening("secret-of-all-forms", "918273")
"""Access secrets besides the seats' codes; no other text contains them."""
MEANT: Mapping[str, Mapping[str, str]] = {
    "coup": {"tax": "duke", "steal": "captain", "assassinate": "assassin", "exchange": "ambassador"},
    "coup-d-etat": {"president": "coup", "contract": "coup"},
    "plenty-coups": {"taunt": "staff", "breed": "horse", "gift": "horse", "score": "staff"},
}
"""Cards that a game's word reveals: a claimed role, or a card used for an action."""


def tables_of(game: Game) -> list[tuple[str, int]]:
    return [(rules, seats) for each, rules, seats in (table.values for table in TABLES) if each is game]


def states(game: Game, rng: Random) -> Iterator[tuple[DealtMatch, frozenset[str]]]:
    """Play matches with dealt cards; yield each moment with all words answered so far."""
    while True:
        rules, seats = rng.choice(tables_of(game))
        table, said = deal_match(new_match(game, rules, seats), rng), words_in(game.rules.settings[rules])
        yield table, said
        while table.match.asks:
            after = step(table, rng)
            assert not isinstance(after, Refusal)
            words = words_in(after.match.entry)
            meant = MEANT.get(game.name, {})
            table, said = after, said | words | {meant[word] for word in words & meant.keys()}
            yield table, said


def words_in(thing: Any) -> frozenset[str]:
    return frozenset(WORD.findall(COULD.sub("", msgspec.json.encode(thing).decode())))


def unshown_cards(table: DealtMatch, said: frozenset[str]) -> set[str]:
    match = table.match
    game, seats = match.setup.game, range(len(match.setup.names))
    faces = frozenset(game.table.deck(match.state.house).counts)
    drawn = [game.shown.view(match.state, viewer) for viewer in (None, *seats)]
    told = words_in([match.state, *drawn, game.rules.standings(match.state), match.rulings])
    # options name characters regardless of their owners, so a state may contain its asks
    offered = {option.face for ask in match.asks if isinstance(ask, Choice) for option in ask.options}
    return set((told & faces) - said - offered)


class LeakReport(Struct):
    """The number of searched texts, and the leaks found."""

    texts: int = 0
    found: list[str] = []


def room_at(match: Match, folder: Path, journal: Journal) -> Room:
    """Return a room whose pages have all content: history, evidence, the current match."""
    seats = seated_match(match)
    kept = replace(LINKS, match=seats, matches=1, codes=CODES[: len(seats.names)])
    (folder / "links.json").write_bytes(msgspec.json.encode(with_all_seats(kept)))
    number = journal.begin(match)
    room = room_with(match, folder, films=LocalFilms())
    room.client.summary = TableSummary(number)
    return room


def look_at_pages(room: Room, looked: LeakReport, seats: Sequence[int] | None = None) -> None:
    """Search all pages as a stranger, as some seats or else all, and as the host."""
    match = room.client.match
    seats = range(len(match.setup.names)) if seats is None else seats
    for who in (None, *seats, HOST):
        browser = room.browser()
        if who == HOST:
            browser.host()
        elif who is not None:
            browser.sit(who)
        for address in addresses(room.app, match, room.client.summary.id or 0):
            # pictures are searched, too, because secrets are plain letters
            text = browser.get(address).data.decode("latin-1")
            note(looked, f"{address} for {who}", text, secrets(browser.links, who))
    for which, seat in (
        ("score", None),
        ("overlay", None),
        ("table", None),
        *(("seat", seat) for seat in seats),
    ):
        told = next(listen(room, which, seat=seat))["data"]
        note(looked, f"event for {seat}", told, secrets(room.browser().links, seat))


HOST = -1  # represents the host among seat numbers


def secrets(evening: Evening, who: int | None) -> set[str]:
    """Return the secrets hidden from a viewer; the host may see PIN and codes, and nobody tokens."""
    people = (device.token for person in evening.people for device in person.devices)
    of_table = evening.secret, computer_token(evening.secret)
    tokens = {*of_table, *people, *(host.token for host in evening.hosts)}
    return tokens if who == HOST else {*tokens, evening.pin, *evening.codes}


def addresses(app: Flask, match: Match, number: int) -> list[str]:
    last = standing_answers(match)[-1].heard_at if standing_answers(match) else 0
    ask = match.asks[0].key if match.asks else "none"
    day = day_of(match.setup.begun)
    values = {"heard_at": last, "number": number, "ask": ask, "at": match.number, "day": day}
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    kept = [rule for rule in rules if rule.arguments <= values.keys() and "events" not in rule.rule]
    return [rule.build({name: values[name] for name in rule.arguments})[1] for rule in kept]


def note(looked: LeakReport, where: str, text: str, forbidden: Iterable[str]) -> None:
    looked.texts += 1
    looked.found += [f"{where}: {secret}" for secret in forbidden if secret in text]


def look_at_files(folder: Path, looked: LeakReport) -> None:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != "links.json":
            note(
                looked,
                file.name,
                file.read_bytes().decode("latin-1"),
                {LINKS.secret, LINKS.pin, HOST_TOKEN, SEAT_TOKEN.format(seat=0)},
            )
