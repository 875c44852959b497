"""An own deck whose pictures are the printed faces."""

from firmware.state_folder import DECKS, state_directory
from firmware.storage.decks import all_counts, draw_faces
from hardware.decks.catalogue import PRINTED
from vision.teaching.taught_decks import bare_deck, save_deck


def lay_deck(name: str) -> None:
    deck = bare_deck(name, (63.0, 88.0), all_counts(PRINTED[name]), draw_faces(name))
    save_deck(deck, state_directory() / DECKS / name)
