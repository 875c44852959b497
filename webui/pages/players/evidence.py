"""Why? The pictures that rulings rest on, for all to see; players may contest them."""

from collections.abc import Callable, Mapping
from threading import Lock

from flask import Response, request
from msgspec import Struct

from firmware.parts.attempt_limits import AttemptLimit
from firmware.parts.photographs import KeptPicture, ReadCard
from firmware.parts.table import Table
from firmware.table.notices import Notice
from referee.contract import Value
from referee.contract.words import Phrase, phrase
from referee.match import Match, standing_answers
from referee.telling import Listener, tell, tell_face, tell_value
from webui.access.viewers import Viewer, may_send
from webui.drawing import alternatives
from webui.drawing.rule_help import explain
from webui.drawing.words import Texts, page_text
from webui.pages.page import Page, get, post, withdrawable
from webui.pages.players.entering import Rejection, form_moment, redirect_to, stale_rejection
from webui.server.drawn_pages import Pages, match_id


class Contest(Struct, frozen=True):
    """A seat's claim that the cards of an answer were read wrong."""

    heard_at: int
    seat: int
    value: Value


class Contests:
    """The contests of the current match."""

    def __init__(self) -> None:
        self._lock, self._match = Lock(), ""
        self._made: dict[int, Contest] = {}

    def note(self, match: Match, contest: Contest) -> None:
        """Remember a contest; a newer one of the same answer replaces it."""
        with self._lock:
            if self._match != match_id(match):
                self._match, self._made = match_id(match), {}
            self._made[contest.heard_at] = contest

    def settle(self, heard_at: int) -> None:
        with self._lock:
            self._made.pop(heard_at, None)

    def contests_in(self, match: Match) -> tuple[Contest, ...]:
        """List the open contests, newest answer first; corrected or undone answers are settled."""
        with self._lock:
            made = dict(self._made) if self._match == match_id(match) else {}
        stand = {step.heard_at: step.answer.value for step in standing_answers(match)}
        return tuple(
            made[heard_at]
            for heard_at in sorted(made, reverse=True)
            if heard_at in stand and stand[heard_at] == made[heard_at].value
        )


BACK = "back"  # the reader's name for a card that lies face down
SECOND_LOOKS: Mapping[str, Phrase] = {
    "agreed": phrase("The table's own camera agreed."),
    "settled": phrase("The table's own camera named it."),
    "disputed": phrase("The table's own camera saw something else."),
    "added": phrase("Only the table's own camera could read it."),
}
EACH, ALL = 3, 12  # contests of one seat and of all seats within a minute


class EvidencePage(Page):
    """Handles the pages of the evidence."""

    def __init__(self, table: Table, pages: Pages, contests: Contests) -> None:
        super().__init__(table, pages)
        self._contests, self._kept = contests, table.evidence
        self._attempts = AttemptLimit(each=EACH, most=ALL)

    @get("/why/<int:heard_at>")
    def look(self, heard_at: int) -> Response:
        ground = self._ground(self._table.door.moment(), heard_at)
        return self._no_evidence_page() if ground is None else self._page(ground)

    @get("/why/<int:heard_at>.jpg")
    def picture(self, heard_at: int) -> Response:
        return self._send(heard_at, KeptPicture.jpeg)

    @get("/why/<int:heard_at>/table.jpg")
    def second_picture(self, heard_at: int) -> Response:
        return self._send(heard_at, KeptPicture.second)

    def _send(self, heard_at: int, picture: Callable[[KeptPicture], bytes | None]) -> Response:
        ground = self._ground(self._table.door.moment(), heard_at)
        kept = None if ground is None else self._kept.now().get(ground.picture)
        jpeg = None if kept is None else picture(kept)
        if jpeg is None:
            return Response(status=404)
        return withdrawable(jpeg)

    @post("/why/<int:heard_at>/contest")
    def contest(self, heard_at: int) -> Response:
        viewer, match = self._viewer(), self._table.door.moment()
        ground = self._ground(match, heard_at)
        if ground is None:
            return self._no_evidence_page()
        if viewer.seat is None or not may_send(request, viewer):
            return self._page(ground, self._rejection(viewer, Texts.stale_form, 403))
        if form_moment(self._table, request) is None:
            return self._page(ground, stale_rejection(self._table, viewer))
        if not self._attempts.may_try(str(viewer.seat)):
            why = phrase("The table already knows. Wait a minute.")
            return self._page(ground, self._rejection(viewer, why, 429))
        self._contests.note(match, Contest(heard_at, viewer.seat, ground.step.answer.value))
        self._table.door.say(Notice("contested", {"name": match.setup.names[viewer.seat], "answer": heard_at}))
        return redirect_to(f"/why/{heard_at}")

    @post("/why/<int:heard_at>/stands", "host")
    def let_stand(self, _viewer: Viewer, heard_at: int) -> Response:
        self._contests.settle(heard_at)
        return redirect_to("/host")

    def _ground(self, match: Match, heard_at: int) -> alternatives.CameraAnswer | None:
        return alternatives.camera_answer_at(match, heard_at, self._kept.photographed_answers())

    def _turn_away(self) -> Response:
        return self.show(self._rejection(self._viewer(), Texts.stale_form, 403))

    def _no_evidence_page(self) -> Response:
        why = phrase("No answer with that number has a picture.")
        return self.show(self._rejection(self._viewer(), why, 404))

    @get("/why")
    def show(self, rejection: Rejection | None = None) -> Response:
        match, viewer = self._table.door.moment(), self._viewer()
        listener, kept = self._listener(viewer), self._kept.now()
        rests = [
            (each.number, (answer, *(tell(listener, told) for told in each.rulings)), each.picture in kept)
            for each in alternatives.camera_answers(match, self._kept.photographed_answers())
            for answer in [tell_value(listener, each.step.answer.value)]
        ]
        return self._draw("why", viewer, {"rests": rests, "rejection": rejection})

    def _page(self, ground: alternatives.CameraAnswer, rejection: Rejection | None = None) -> Response:
        return self._draw_forms(lambda viewer: ("why_one", self._values_of(ground, viewer)), rejection)

    def _values_of(self, ground: alternatives.CameraAnswer, viewer: Viewer) -> Mapping[str, object]:
        match = self._table.door.moment()
        listener, number = self._listener(viewer), ground.number
        kept = self._kept.now().get(ground.picture)
        cards = None if kept is None else kept.cards()
        contest = next((each for each in self._contests.contests_in(match) if each.heard_at == number), None)
        return {
            "match": match_id(match),
            "moment": match.number,
            "number": number,
            "answer": tell_value(listener, ground.step.answer.value),
            "is_corrected": alternatives.is_corrected(match, number),
            "is_kept": kept is not None,
            "is_by_phone": ground.is_by_phone,
            "has_second": ground.is_by_phone and kept is not None and kept.second() is not None,
            "rows": None if cards is None else [_row(card, listener) for card in cards],
            "told": explain(match, ground.rulings, listener.language),
            "others": [
                (other, tell_value(listener, answered.step.answer.value))
                for other in alternatives.related_answers(match, ground, self._kept.photographed_answers())
                if (answered := self._ground(match, other)) is not None
            ],
            "contested": "" if contest is None else match.setup.names[contest.seat],
        }


def _row(card: ReadCard, listener: Listener) -> Mapping[str, object]:
    """Put a reading into words; cards face down get no guesses."""
    shares = alternatives.guess_shares(card) if alternatives.is_reviewed(card) else ()
    others = [
        tell_share(listener, tell_face(listener, face), percent) for face, percent in shares if face != BACK
    ]
    looked = SECOND_LOOKS.get(card.second)
    by_hand = phrase("chosen by hand: {face}") if card.said else phrase("by hand: doesn't count")
    chosen = tell_face(listener, card.said) if card.said else ""
    return {
        "read": read_card_text(card, listener),
        "sure": _how_sure(card, listener),
        "others": ", ".join(others),
        "face": card.face or "",
        "percent": alternatives.read_percent(card),
        # what the table's own camera had to do with it, beside a phone's photograph
        "second": "" if looked is None else page_text(listener.language, looked),
        # what the person who reviewed the photograph said instead
        "said": "" if card.said is None else page_text(listener.language, by_hand, face=chosen),
    }


def tell_share(listener: Listener, face: str, percent: int) -> str:
    """Word how likely a face is; less than one in a hundred is "below 1%"."""
    return page_text(
        listener.language,
        phrase("{face} ({percent}%)") if percent else phrase("{face} (below 1%)"),
        face=face,
        percent=percent,
    )


def read_card_text(card: ReadCard, listener: Listener) -> str:
    if card.face is not None:
        return tell_face(listener, card.face)
    return page_text(
        listener.language, phrase("unknown") if alternatives.is_reviewed(card) else phrase("face down")
    )


def _how_sure(card: ReadCard, listener: Listener) -> str:
    if not card.sure and card.face is None:
        # what it could be is told with its shares
        return page_text(listener.language, phrase("unsure"))
    sure = phrase("sure, {score}") if card.possible else phrase("sure, {score}, but it can't be here")
    score = page_text(listener.language, phrase("{percent}%"), percent=alternatives.read_percent(card))
    return page_text(listener.language, sure if card.sure else phrase("unsure, {score}"), score=score)
