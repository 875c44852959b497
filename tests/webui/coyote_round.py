"""A round of Coyote that is over: the camera has read the three cards, and the picture is kept."""

from pathlib import Path

import numpy as np

from referee.contract import Answer, Option
from referee.match import Match, enter
from tests.given import allowed
from vision.process.evidence import Sidecar, as_jpeg, keep_evidence
from vision.sightings import Outline, Reading, RunnerUp, Sighting

REVEAL = 3
"""The number of the answer that shows the cards."""
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
    return allowed(enter(match, Answer(match.number, "opener", Option("opens", seat))))


def call_coyote(match: Match, said: int = 3) -> Match:
    """Let Ana say a number, and Bo call Coyote: now the cards are to be shown."""
    match = open_round(match)
    for answer in (Answer(1, "announce", said, 0), Answer(2, "turn", Option("coyote"), 1)):
        match = allowed(enter(match, answer))
    return match


def reveal_cards(match: Match, said: int = 3) -> Match:
    """Let the camera answer."""
    match = call_coyote(match, said)
    return allowed(enter(match, Answer(REVEAL, "reveal", SHOWN, None, "camera")))


def keep_picture(folder: Path, moment: int = REVEAL + 1, match: str = "1") -> Path:
    """Keep a picture as the eyes do."""
    return keep_evidence(folder / "evidence", JPEG, Sidecar(match, moment, READING, "reveal"))
