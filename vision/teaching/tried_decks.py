"""Prepare decks for reading, with the certainty that trials taught: tried once, then kept by what was tried.

What is kept lies outside the deck's folder, in a file named after a digest of the pictures: it can't be stale.
A file that is spoiled, or can't be kept, costs no more than trying the deck again.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from vision.files import make_folder, read_json, write_whole
from vision.reading.certainty import Certainty, is_usable
from vision.reading.templates import Picture, Templates, templates
from vision.teaching.trying import Doubt, certainty_of, doubts_of, try_deck

TRYING = 7
"""Counted up when decks are tried in another way: what was learned before is learned anew."""
MOST_KEPT = 60
"""How many decks' certainties are kept; those that were kept first go first."""


def prepare_deck(
    pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float] = (63, 88), kept: Path | None = None
) -> Templates:
    """Prepare a deck for reading; try it, unless it was tried before and that is kept in a folder."""
    deck = templates(pictures, size)
    file = None if kept is None else kept / f"{_digest(pictures, size)}.json"
    certainty = None if file is None else _load_certainty(file)
    if certainty is None:
        certainty = certainty_of(deck, try_deck(deck, pictures))
        if file is not None:
            _keep_certainty(file, certainty)
    return replace(deck, certainty=certainty)


def ready_deck(
    pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float], kept: Path | None
) -> Templates:
    """Prepare a deck at once: with what was learned of it, else as one that wasn't tried."""
    deck = templates(pictures, size)
    certainty = None if kept is None else _load_certainty(kept / f"{_digest(pictures, size)}.json")
    return deck if certainty is None else replace(deck, certainty=certainty)


def try_taught(
    pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float], kept: Path | None = None
) -> tuple[Doubt, ...]:
    """Try a deck that was just taught; keep what that taught, and give the faces that are hardly told apart."""
    deck = templates(pictures, size)
    trials = try_deck(deck, pictures)
    if kept is not None:
        _keep_certainty(kept / f"{_digest(pictures, size)}.json", certainty_of(deck, trials))
    return doubts_of(deck, trials)


def _digest(pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float]) -> str:
    """Tell decks apart by all that trials depend on."""
    digest = sha256(repr((TRYING, size)).encode())
    for face, some in pictures.items():
        for picture in some:
            digest.update(repr((face, picture.shape)).encode())
            digest.update(np.ascontiguousarray(picture).tobytes())
    return digest.hexdigest()[:32]


def _load_certainty(file: Path) -> Certainty | None:
    """Read what was learned; None if it isn't there or is spoiled."""
    try:
        certainty = read_json(file, Certainty)
    except OSError:
        return None
    return certainty if is_usable(certainty) else None


def _keep_certainty(file: Path, certainty: Certainty) -> None:
    """Keep what was learned; a full or locked disk only means that the deck is tried again."""
    with suppress(OSError):
        make_folder(file.parent)
        write_whole(file, msgspec.json.encode(certainty))
        by_age = sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in by_age[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
