"""What leaves a table beside its pages, as values: overlay, stream, film, score, evening, announcer."""

from collections.abc import Iterator
from typing import Any

import msgspec

from firmware.language.catalogues import language
from firmware.parts.looks import Looks
from hardware.twin.dealer import DealtMatch
from referee.match import Match
from referee.public_moment import public_moment
from referee.showing import announce
from referee.summaries import JournalMatch, summary_of
from referee.telling import listener_at
from webui.drawing.film_step import scene_of, sentences_of
from webui.drawing.final_score import day_of, evening_of, final_score
from webui.drawing.looks import LookBook
from webui.drawing.overlay_view import overlay_of

BOOK = LookBook(Looks())
NAMED = frozenset({"face", "faces"})
"""Fields that name cards."""


def channels(match: Match) -> dict[str, Any]:
    """Draw what each channel has of a moment. A film, its file and a what-if are drawn from such scenes."""
    spoken = language("en")
    listener, look = listener_at(match.setup, spoken), BOOK.look_of(match)
    entry = JournalMatch(1, summary_of(match))
    return {
        "/table.json, /events/table": public_moment(match, listener),
        "/overlay, /events/overlay": overlay_of(match, listener, look),
        "film, its file, what-if": (scene_of(match, listener, look), sentences_of(match, listener)),
        "announcer": announce(listener, match, "play"),
        "score.png": final_score(match, spoken),
        "/evenings": evening_of([entry], day_of(match.setup.begun), spoken),
    }


def plain(told: Any) -> Any:
    """Give plain values; what is drawn already is its text."""
    return msgspec.to_builtins(told, enc_hook=str)


def unshown_in_channels(table: DealtMatch, said: frozenset[str]) -> dict[str, set[str]]:
    """Name the cards that channels tell though they haven't been laid or said."""
    match = table.match
    faces = frozenset(match.setup.game.table.deck(match.state.house).counts)
    told = {where: set(_faces_in(plain(what))) for where, what in channels(match).items()}
    return {where: (named & faces) - said for where, named in told.items() if (named & faces) - said}


def _faces_in(values: Any, *, is_card: bool = False) -> Iterator[str]:
    """List what stands in fields that name cards."""
    match values:
        case str():
            yield from (values,) if is_card else ()
        case dict():
            for key, value in values.items():
                yield from _faces_in(value, is_card=is_card or key in NAMED)
        case list() | tuple():
            for value in values:
                yield from _faces_in(value, is_card=is_card)
