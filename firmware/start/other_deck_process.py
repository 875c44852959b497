"""Which deck the cards in a picture look like: `python -m firmware.start.other_deck_process ASKED`."""

import sys

import msgspec

from firmware.parts.other_decks import OtherDeckAnswer, OtherDeckQuestion
from firmware.parts.photograph_reader import LONGEST, SECONDS
from firmware.parts.reader_process import limit_process
from firmware.start.games import hand_in_games
from firmware.storage.eyes_settings import deck_named
from firmware.storage.other_decks import find_likely_deck
from vision.photographs import PhotographError, decode_photograph
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.table.calibration import calibrate
from vision.troubles import TroubleError


def find_other_deck(asked: OtherDeckQuestion) -> OtherDeckAnswer:
    """Read the picture that comes in by the deck that is asked for, then by the others."""
    try:
        frame, deck = decode_photograph(sys.stdin.buffer, LONGEST), deck_named(asked.deck)
    except (PhotographError, TroubleError):
        return OtherDeckAnswer(None)
    table = calibrate(frame)
    around = None if table is None else surroundings_at(table)
    return OtherDeckAnswer(find_likely_deck(frame, read(frame, deck, None, around), asked.deck, around))


if __name__ == "__main__":
    limit_process(SECONDS)
    hand_in_games()
    question = msgspec.json.decode(sys.argv[1], type=OtherDeckQuestion)
    sys.stdout.buffer.write(msgspec.msgpack.encode(find_other_deck(question)))
