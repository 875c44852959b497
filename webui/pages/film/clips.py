"""Clips: the seconds around rulings that rest on the camera, for all to see again; the host keeps others."""

import re

from flask import Blueprint, Response, request
from msgspec import Struct

from firmware.parts.attempt_limits import AttemptLimit
from firmware.parts.clips import answer_of, is_by_hand
from firmware.table.table import Table
from referee.contract.words import Phrase, phrase
from vision.process.evidence import Clip
from webui.access.viewers import Viewer
from webui.drawing.alternatives import newest_camera_answer
from webui.drawing.words import Texts
from webui.pages.page import Page, withdrawable
from webui.pages.players.entering import Rejection, read_number, redirect_to
from webui.server.drawn_pages import Pages

NAME = re.compile(r"[0-9]{1,9}(-[0-9]{1,3})?")
LARGEST = 2**63
"""Numbers of matches are smaller."""
EACH, ALL = 6, 6
"""Clips that the host may keep within a minute."""


class ShownClip(Struct, frozen=True):
    """A clip as its page shows it."""

    home: str
    title: Phrase
    number: int
    times: tuple[int, ...]
    ruled: int
    at: int
    """Which frame is shown first."""

    @property
    def seconds(self) -> float:
        """Return how long after the ruling the frame was taken."""
        return (self.times[self.at] - self.ruled) / 1000


def clips_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the pages of clips."""
    blueprint, page = Blueprint("clips", __name__), ClipPages(table, pages)
    blueprint.get("/clips")(page.list)
    blueprint.post("/clips")(page.from_host(page.keep))
    blueprint.get("/clip/<name>")(page.show)
    blueprint.get("/clip/<name>.webp")(page.moving)
    blueprint.get("/clip/<name>/<int:at>.jpg")(page.frame)
    blueprint.get("/history/<int:match>/clip/<name>")(page.show_kept)
    blueprint.get("/history/<int:match>/clip/<name>.webp")(page.moving)
    blueprint.get("/history/<int:match>/clip/<name>/<int:at>.jpg")(page.frame)
    return blueprint


class ClipPages(Page):
    """Handles the pages of clips."""

    def __init__(self, table: Table, pages: Pages) -> None:
        super().__init__(table, pages)
        self._clips = table.clips
        self._attempts = AttemptLimit(each=EACH, most=ALL)

    def _turn_away(self) -> Response:
        return redirect_to("/host")

    def keep(self, viewer: Viewer) -> Response:
        """Let the host keep what has happened in the last seconds."""
        if not self._attempts.may_try("host"):
            return self.list(self._rejection(viewer, Texts.too_often, 429))
        self._clips.keep_now()
        return redirect_to("/clips")

    def show(self, name: str) -> Response:
        """Show a clip of the match that stands."""
        return self._page(f"/clip/{name}", name, self._clip(name), "/clips", is_coming=self._is_coming(name))

    def frame(self, name: str, at: int, match: int | None = None) -> Response:
        """Send a frame of a clip, of the match that stands or of one of the history."""
        return _jpeg(self._clip(name, match), at)

    def show_kept(self, match: int, name: str) -> Response:
        """Show a clip of a match of the history."""
        home = f"/history/{match}/clip/{name}"
        return self._page(home, name, self._clip(name, match), f"/history/{match}/film")

    def moving(self, name: str, match: int | None = None) -> Response:
        """Send a clip as a picture that moves by itself; browsers ask each time, as it may be withdrawn."""
        if self._clip(name, match) is None:
            return Response(status=404)
        made = self._clips.moving(name, match)
        if made is None:
            why = phrase("This moving picture can't be made now. Try again in a minute.")
            told = self._say(self._viewer(), why)
            return Response(told, 503, {"Retry-After": "30"}, mimetype="text/plain")
        return withdrawable(made, "image/webp")

    def list(self, rejection: Rejection | None = None) -> Response:
        """List the clips of the match that stands, the newest first."""
        listed = [(f"/clip/{name}", title_of(name), answer_of(name)) for name in self._clips.names()]
        values = {"listed": listed[::-1], "are_kept": self._clips.are_kept(), "rejection": rejection}
        return self._draw("clips", self._viewer(), values)

    def _clip(self, name: str, match: int | None = None) -> Clip | None:
        may_be = (match is None or match < LARGEST) and NAME.fullmatch(name)
        return self._clips.clip(name, match) if may_be else None

    def _is_coming(self, name: str) -> bool:
        """Return whether a clip may still be on its way to the disk."""
        newest = newest_camera_answer(self._table.door.moment())
        return self._clips.are_kept() and name == str(newest)

    def _page(self, home: str, name: str, clip: Clip | None, back: str, *, is_coming: bool = False) -> Response:
        viewer = self._viewer()
        if clip is None:
            values = {"is_coming": is_coming, "home": home, "back": back}
            return self._draw("no_clip", viewer, values, 202 if is_coming else 404)
        at = min(read_number(request.args.get("frame", ""), 3) or 0, len(clip.frames) - 1)
        times = tuple(frame.at for frame in clip.frames)
        shown = ShownClip(home, title_of(name), answer_of(name), times, clip.ruled, at)
        return self._draw("clip", viewer, {"clip": shown, "back": back})


def title_of(name: str) -> Phrase:
    """Say what a clip shows."""
    return (
        phrase("Clip kept by the host after answer {number}")
        if is_by_hand(name)
        else phrase("Clip of answer {number}")
    )


def _jpeg(clip: Clip | None, at: int) -> Response:
    if clip is None or at >= len(clip.frames):
        return Response(status=404)
    return withdrawable(clip.frames[at].jpeg)
