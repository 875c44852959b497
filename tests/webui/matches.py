"""Matches played automatically, their pictures, and questions about unknown cards."""

from pathlib import Path
from random import Random

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.table.naming import NameQuestion, UnknownOnTable
from hardware.twin.player import any_answer
from referee.contract import CENTRE, Answer, Game, Option, Show
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Match, Setup, begin, hear
from tests.given import allowed
from tests.referee.tables import after_any
from vision.process.evidence import Sidecar, as_jpeg, keep_evidence
from vision.process.messages import UnknownCard
from vision.sightings import Outline, Reading, RunnerUp, Sighting

NAMES = ("=Ana", "Bo", "Chloé <b>")


def play_match(
    game: Game, names: tuple[str, ...] = NAMES, seed: int = 0, moments: int = 10**6, house: Struct | None = None
) -> Match:
    setup = Setup(
        game, house or next(iter(game.rules.settings.values())), names, begun="2026-01-02T20:00:00+01:00"
    )
    match, rng = allowed(begin(setup)), Random(seed)
    while match.asks and match.number < moments:
        answer = any_answer(match.asks, match.number, rng)
        match = allowed(hear(match, replace(answer, at=f"2026-01-02T21:{match.number % 60:02}:00+01:00")))
    return match


REVEAL = 3  # number of the answer that reveals the cards
SHOWN = ("20", "10", "10")
BOX: Outline = ((40.0, 40.0), (140.0, 40.0), (140.0, 180.0), (40.0, 180.0))
READING = Reading(
    (
        Sighting(
            "20", True, 0.93, (RunnerUp("10", 0.41), RunnerUp("back", 0.4), RunnerUp("2", 0.2)), BOX, "up", 1.0
        ),
        Sighting("10", True, 0.9, (RunnerUp("15", 0.3),), BOX, "up", 1),
        Sighting("10", True, 0.8, (RunnerUp("15", 0.5), RunnerUp("1", 0.1)), BOX, "up", 1),
        Sighting(None, True, 0.8, (), BOX, "down", 1),
    )
)
JPEG = as_jpeg(np.full((240, 320, 3), 60, np.uint8), READING)


def open_round(match: Match, seat: int = 0) -> Match:
    return allowed(hear(match, Answer(match.number, "opener", Option("opens", seat))))


def call_coyote(match: Match, said: int = 3) -> Match:
    match = open_round(match)
    for answer in (Answer(1, "announce", said, 0), Answer(2, "turn", Option("coyote"), 1)):
        match = allowed(hear(match, answer))
    return match


def reveal_cards(match: Match) -> Match:
    return allowed(hear(call_coyote(match), Answer(REVEAL, "reveal", SHOWN, None, "camera")))


def keep_picture(folder: Path, moment: int = REVEAL + 1, match: str = "1") -> Path:
    return keep_evidence(folder / "evidence", JPEG, Sidecar(match, moment, READING, "reveal"))


# unknown cards

UNKNOWN = cv2.imencode(".jpg", np.full((88, 63, 3), 90, np.uint8))[1].tobytes()


def outline(number: int) -> Outline:
    x = 100.0 * number
    return (x, 0.0), (x + 63, 0.0), (x + 63, 88.0), (x, 88.0)


def name_question(
    match: Match,
    number: int,
    seats: tuple[int, ...] = (0, 1, 2),
    before: int | None = None,
    like: tuple[str, ...] = (),
    earlier: bytes = b"",
    *,
    is_open: bool = True,
) -> NameQuestion:
    """Return a question that these seats may answer."""
    deck = match.setup.game.table.deck(match.setup.house)
    counts = {**deck.counts, "20": 0} if "20" in deck.counts else deck.counts
    card = UnknownCard(outline(number), UNKNOWN + bytes([number % 256]), like, earlier, is_good=True)
    ask = Show("reveal", (), 3, CENTRE, deck, counts)
    return NameQuestion(UnknownOnTable(number, card), ask, seats, before, is_open)


def prove_duke() -> Match:
    """Return a moment of Coup at which a seat must show the Duke that it claimed."""
    match, rng = play_match(GAMES["coup"], moments=1), Random(1)
    (seat,) = match.asks[0].seats
    match = allowed(hear(match, Answer(1, "action", Option("tax"), seat)))
    challenger = match.asks[0].seats[0]
    match = allowed(hear(match, Answer(2, "challenge", Option("challenge"), challenger)))
    while ask_named(match.asks, "prove") is None:
        match = after_any(match, rng)
    return match
