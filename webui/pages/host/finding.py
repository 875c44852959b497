"""Finding the table step by step, for the host: markers or four taps, then check the seats and save."""

from collections.abc import Mapping

from flask import Blueprint, Response, request

from firmware.parts.finding import TableFinder
from firmware.parts.seat_outlines import PartOutline
from firmware.table.notices import sentence_for
from firmware.table.table import Table
from referee.contract.words import Phrase, phrase
from referee.telling import Language
from vision.sightings import Point
from webui.access.viewers import Viewer, listener_of, viewer_language, viewer_of
from webui.drawing.words import page_text
from webui.pages.host.guiding import GuidedPage, read_length
from webui.server.drawn_pages import Pages

SEAT = "seat "


CORNERS: tuple[Phrase, ...] = (
    phrase("Upper left corner"),
    phrase("Upper right corner"),
    phrase("Lower right corner"),
    phrase("Lower left corner"),
)
"""Names of the corners to tap, in their order."""

TABLE_AREAS: Mapping[str, Phrase] = {
    "centre": phrase("Centre"),
    "proof": phrase("Proof"),
    "discard": phrase("Discard"),
    "herd": phrase("Herd {number}"),
    "camp": phrase("Camp {number}"),
    "taunt": phrase("Taunt {number}"),
}
"""Areas of the table, by the first word of their name."""


def finding_blueprint(table: Table, pages: Pages, guide: TableFinder) -> Blueprint:
    """Create the pages on which the table is found."""
    blueprint, page = Blueprint("finding", __name__), FindingPage(table, pages, guide)
    blueprint.get("/host/table")(page.show)
    blueprint.get("/host/table/picture.jpg")(page.photograph)
    blueprint.get("/host/table/markers.pdf")(page.markers)
    for name, step in (
        ("open", page.open), ("close", page.close), ("find", page.find),
        ("tap", page.tap), ("turn", page.turn), ("keep", page.keep),
    ):  # fmt: skip
        blueprint.post(f"/host/table/{name}", endpoint=name)(step)
    return blueprint


class FindingPage:
    """Handles the pages on which the table is found."""

    def __init__(self, table: Table, pages: Pages, guide: TableFinder) -> None:
        """Remember the table, the pages and the guide."""
        self._table, self._guide = table, guide
        self._page = GuidedPage(table, pages, "table", self._values)

    def show(self) -> Response:
        """Show the progress."""
        return self._page.show()

    def photograph(self) -> Response:
        """Send the picture that was taken."""
        if not viewer_of(self._table, request).is_host:
            return Response(status=403)
        shown = self._guide.photograph()
        return Response(status=404) if shown is None else Response(shown, 200, {"Content-Type": "image/jpeg"})

    def markers(self) -> Response:
        """Send the markers to print."""
        if not viewer_of(self._table, request).is_host:
            return Response(status=403)
        return Response(self._guide.markers(), 200, {"Content-Type": "application/pdf"})

    def open(self) -> Response:
        """Start."""
        return self._page.take(self._guide.open)

    def close(self) -> Response:
        """Cancel."""
        return self._page.take(self._guide.close)

    def find(self) -> Response:
        """Look for the markers; their distances may be left empty."""
        apart = _read_distances()
        if apart is None and (request.form.get("across") or request.form.get("down")):
            return self._page.take(None)
        return self._page.take(lambda: self._guide.find(apart))

    def tap(self) -> Response:
        """Use four points of the picture as corners."""
        apart, taps = _read_distances(), _read_taps()
        return self._page.take(None if apart is None or taps is None else lambda: self._guide.tap(taps, apart))

    def turn(self) -> Response:
        """Move every seat on by one place."""
        return self._page.take(self._guide.turn)

    def keep(self) -> Response:
        """Save the table."""
        is_empty = "empty" in request.form
        return self._page.take(lambda: self._guide.keep(is_empty=is_empty))

    def _values(self, viewer: Viewer) -> dict[str, object]:
        sight, listener = self._guide.sight(), listener_of(self._table, viewer)
        language = viewer_language(self._table, viewer)
        move = None if sight.framing is None else sight.framing.move
        return {
            "sight": sight,
            "labels": [(part, _part_name(part, listener.names, language)) for part in sight.parts],
            "seats": [name for part in sight.parts if (name := _player(part, listener.names))],
            "wrong": [sentence_for(each, listener) for each in sight.wrong],
            "corners": CORNERS,
            "framing": sight.framing,
            "move": None if move is None else sentence_for(move, listener),
        }


def _read_distances() -> Point | None:
    across, down = read_length("across"), read_length("down")
    return None if across is None or down is None else (across, down)


def _read_taps() -> tuple[Point, ...] | None:
    places = [(read_length(f"x{corner}"), read_length(f"y{corner}")) for corner in range(len(CORNERS))]
    taps = tuple((x, y) for x, y in places if x is not None and y is not None)
    return taps if len(taps) == len(CORNERS) else None


def _part_name(part: PartOutline, names: tuple[str, ...], language: Language) -> str:
    """Name a part of the table; a seat by its number and player."""
    if part.name.startswith(SEAT):
        return f"{part.name.removeprefix(SEAT)} {_player(part, names)}".strip()
    word, _space, number = part.name.partition(" ")
    return page_text(language, TABLE_AREAS[word], number=number)


def _player(part: PartOutline, names: tuple[str, ...]) -> str:
    """Name the player at a part of the table, if it is a seat."""
    number = part.name.removeprefix(SEAT)
    if number == part.name or int(number) > len(names):
        return ""
    return names[int(number) - 1]
