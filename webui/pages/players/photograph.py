"""Evidence pages ("Why?") with the images behind rulings, and photos of cards taken by phone.

Players can contest a reading. A phone can send a photo of the cards, review the reading, and then
answer; permission is checked before the upload. The part around the cards is stored as evidence
only if the answer is accepted. Nothing of other photos is stored.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Literal

from flask import Response, request
from msgspec import Struct

from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.links import draw_token, is_same
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import Answer, Refusal, Show, Value
from referee.contract.words import Phrase, phrase
from referee.legal import ask_named
from referee.match import Correct, Match, Position, standing_answers, step_from
from referee.moment_view import ask_text, step_texts
from referee.sentences import Listener, face_name, refusal_text, value_text
from webui.access.viewers import VISITOR, Viewer, may_send
from webui.pages.page import IS_FOR, Page, get, post, withdrawable
from webui.pages.players.entering import Rejection, enter, form_moment, redirect_to, stale_rejection
from webui.server.drawn_pages import Pages, match_id
from webui.server.uploads import UploadError, Uploads, drain_upload
from webui.views import alternatives
from webui.views.controls import READ, asks_of
from webui.views.options import Button
from webui.views.rule_help import explain
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.photographs import KeptPicture, Photograph, ReadCard, UnreadReason
    from firmware.services.table import Table


class Contest(Struct, frozen=True):
    """A seat's claim that the cards of an answer were misread."""

    heard_at: int
    seat: int
    value: Value


class Contests:
    """Contests of the current match."""

    def __init__(self) -> None:
        self._lock, self._match = Lock(), ""
        self._made: dict[int, Contest] = {}

    def note(self, match: Match, contest: Contest) -> None:
        """Record a contest; it replaces an older one by the same seat about the same answer."""
        with self._lock:
            if self._match != match_id(match):
                self._match, self._made = match_id(match), {}
            self._made[contest.heard_at] = contest

    def settle(self, heard_at: int) -> None:
        with self._lock:
            self._made.pop(heard_at, None)

    def contests_in(self, match: Match) -> tuple[Contest, ...]:
        """Return the open contests, newest answer first; a corrected or undone answer has none."""
        with self._lock:
            made = dict(self._made) if self._match == match_id(match) else {}
        stand = {step.heard_at: step.answer.value for step in standing_answers(match)}
        return tuple(
            made[heard_at]
            for heard_at in sorted(made, reverse=True)
            if heard_at in stand and stand[heard_at] == made[heard_at].value
        )


BACK = "back"  # the reader's name for a face-down card
SECOND_LOOKS: Mapping[str, Phrase] = {
    "agreed": phrase("The table's own camera agreed."),
    "settled": phrase("The table's own camera named it."),
    "disputed": phrase("The table's own camera saw something else."),
    "added": phrase("Only the table's own camera could read it."),
}
CONTESTS, ALL_CONTESTS = 3, 12  # most contests per minute, per seat and in total


class EvidencePage(Page):
    """Pages that show the evidence for a ruling."""

    def __init__(self, table: "Table", pages: Pages, contests: Contests) -> None:
        super().__init__(table, pages)
        self._contests, self._kept = contests, table.evidence
        self._attempts = AttemptLimit(each=CONTESTS, most=ALL_CONTESTS)

    @get("/why/<int:heard_at>")
    def look(self, heard_at: int) -> Response:
        ground = self._ground(self._table.client.moment(), heard_at)
        return self._no_evidence_page() if ground is None else self._page(ground)

    @get("/why/<int:heard_at>.jpg")
    def picture(self, heard_at: int) -> Response:
        return self._send(heard_at, lambda kept: kept.jpeg())

    @get("/why/<int:heard_at>/table.jpg")
    def second_picture(self, heard_at: int) -> Response:
        return self._send(heard_at, lambda kept: kept.second())

    def _send(self, heard_at: int, picture: "Callable[[KeptPicture], bytes | None]") -> Response:
        ground = self._ground(self._table.client.moment(), heard_at)
        kept = None if ground is None else self._kept.now().get(ground.picture)
        jpeg = None if kept is None else picture(kept)
        if jpeg is None:
            return Response(status=404)
        return withdrawable(jpeg)

    @post("/why/<int:heard_at>/contest")
    def contest(self, heard_at: int) -> Response:
        viewer, match = self._viewer(), self._table.client.moment()
        ground = self._ground(match, heard_at)
        if ground is None:
            return self._no_evidence_page()
        if viewer.seat is None or not may_send(request, viewer):
            return self._page(ground, self._rejection(viewer, Texts.stale_form, 403))
        if form_moment(self._table, request) is None:
            return self._page(ground, stale_rejection(self._table, viewer))
        if not self._attempts.may_try(str(viewer.seat)):
            return self._page(ground, self._rejection(viewer, Texts.busy, 429))
        self._contests.note(match, Contest(heard_at, viewer.seat, ground.step.answer.value))
        self._table.client.say(
            Notice(NoticeKey.CONTESTED, {"name": match.setup.names[viewer.seat], "answer": heard_at})
        )
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
        match, viewer = self._table.client.moment(), self._viewer()
        listener, kept = self._listener(viewer), self._kept.now()
        rests = [
            (each.number, (answer, *step_texts(match, each.step, listener.language)), each.picture in kept)
            for each in alternatives.camera_answers(match, self._kept.photographed_answers())
            for answer in [value_text(listener, each.step.answer.value)]
        ]
        return self._draw("why", viewer, {"rests": rests, "rejection": rejection})

    def _page(self, ground: alternatives.CameraAnswer, rejection: Rejection | None = None) -> Response:
        return self._draw_forms(lambda viewer: ("why_one", self._values_of(ground, viewer)), rejection)

    def _values_of(self, ground: alternatives.CameraAnswer, viewer: Viewer) -> Mapping[str, object]:
        match = self._table.client.moment()
        listener, number, language = self._listener(viewer), ground.number, self._language(viewer)
        kept = self._kept.now().get(ground.picture)
        cards = None if kept is None else kept.cards()
        contest = next((each for each in self._contests.contests_in(match) if each.heard_at == number), None)
        return {
            "match": match_id(match),
            "moment": match.number,
            "number": number,
            "answer": value_text(listener, ground.step.answer.value),
            "is_corrected": alternatives.is_corrected(match, number),
            "is_kept": kept is not None,
            "is_by_phone": ground.is_by_phone,
            "has_second": ground.is_by_phone and kept is not None and kept.second() is not None,
            "rows": None if cards is None else [_row(card, listener) for card in cards],
            "told": explain(match.setup, ground.rulings, step_texts(match, ground.step, language), language),
            "others": [
                (other, value_text(listener, answered.step.answer.value))
                for other in alternatives.related_answers(match, ground, self._kept.photographed_answers())
                if (answered := self._ground(match, other)) is not None
            ],
            "contested": "" if contest is None else match.setup.names[contest.seat],
        }


def _row(card: "ReadCard", listener: Listener) -> Mapping[str, object]:
    """Word a reading; face-down cards get no guesses."""
    shares = alternatives.guess_shares(card) if alternatives.is_reviewed(card) else ()
    others = [
        share_text(listener, face_name(listener, face), percent) for face, percent in shares if face != BACK
    ]
    looked = SECOND_LOOKS.get(card.second)
    by_hand = phrase("chosen by hand: {face}") if card.said else phrase("by hand: doesn't count")
    chosen = face_name(listener, card.said) if card.said else ""
    return {
        "read": read_card_text(card, listener),
        "sure": _how_sure(card, listener),
        "others": ", ".join(others),
        "face": card.face or "",
        "percent": alternatives.read_percent(card),
        # the table camera's part in a phone's photo
        "second": "" if looked is None else page_text(listener.language, looked),
        # the face that the reviewer chose instead
        "said": "" if card.said is None else page_text(listener.language, by_hand, face=chosen),
    }


def share_text(listener: Listener, face: str, percent: int) -> str:
    """Word the probability of a face; less than one percent is "below 1%"."""
    return page_text(
        listener.language,
        phrase("{face} ({percent}%)") if percent else phrase("{face} (below 1%)"),
        face=face,
        percent=percent,
    )


def read_card_text(card: "ReadCard", listener: Listener) -> str:
    if card.face is not None:
        return face_name(listener, card.face)
    return page_text(
        listener.language, phrase("unknown") if alternatives.is_reviewed(card) else phrase("face down")
    )


def _how_sure(card: "ReadCard", listener: Listener) -> str:
    if not card.sure and card.face is None:
        # the possible faces appear with their probabilities
        return page_text(listener.language, phrase("unsure"))
    sure = phrase("sure, {score}") if card.possible else phrase("sure, {score}, but it can't be here")
    score = page_text(listener.language, phrase("{percent}%"), percent=alternatives.read_percent(card))
    return page_text(listener.language, sure if card.sure else phrase("unsure, {score}"), score=score)


# photos taken by phone


REMEMBERED, REMEMBERED_EACH = 12, 3
"""Most phones with photos open for review, and most photos per phone."""
PHOTOGRAPH = "photograph"  # form field that identifies the reviewed photo


class ReadPhotograph(Struct, frozen=True):
    """A photo that was read, its purpose, and the token in its review form."""

    key: str
    photograph: "Photograph"
    mark: str


def seat_key(match: Match, moment: int, ask: str) -> str:
    return f"{match_id(match)} {moment} {ask}"


def correction_key(match: Match, heard_at: int) -> str:
    return f"{match_id(match)} corrects {heard_at}"


class RecentPhotographs:
    """Recent photos of each phone; the oldest are dropped first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: OrderedDict[str, tuple[ReadPhotograph, ...]] = OrderedDict()

    def keep(self, phone: str, key: str, photograph: "Photograph") -> None:
        """Store a phone's photo. A few earlier ones remain, because one may still be under review."""
        with self._lock:
            before = self._taken.pop(phone, ())
            self._taken[phone] = (ReadPhotograph(key, photograph, draw_token()), *before)[:REMEMBERED_EACH]
            while len(self._taken) > REMEMBERED:
                self._taken.popitem(last=False)

    def latest_of(self, phone: str) -> ReadPhotograph | None:
        with self._lock:
            return next(iter(self._taken.get(phone, ())), None)

    def find(self, phone: str, key: str, mark: str) -> ReadPhotograph | None:
        with self._lock:
            taken = self._taken.get(phone, ())
        return next((each for each in taken if each.key == key and is_same(each.mark, mark)), None)


class PhotographKeeper:
    """Submits answers from phones, and stores the photos behind accepted ones."""

    def __init__(self, table: "Table", recent: RecentPhotographs) -> None:
        self._table, self._recent = table, recent

    def has_photograph_of(self, face: str, viewer: Viewer, key: str) -> bool:
        """Return whether this face was read in the form's photo, whatever the reviewer chose."""
        taken = self._recent.find(viewer.form, key, request.form.get(PHOTOGRAPH, ""))
        return taken is not None and any(card.face == face for card in taken.photograph.cards)

    def enter(self, viewer: Viewer, entry: Answer | Correct, ask: object, key: str) -> Rejection | None:
        """Submit a form's entry; store its photo as evidence if a reviewed entry is accepted."""
        taken = self._recent.find(viewer.form, key, request.form.get(PHOTOGRAPH, ""))
        photograph = None if taken is None else taken.photograph
        if photograph is None or photograph.evidence is None or not isinstance(ask, Show):
            return enter(self._table, viewer, entry)
        said = alternatives.said_of_cards(photograph.cards, ask, request.form)
        if said is None:
            return enter(self._table, viewer, entry)
        # cards can be answered only at their own moment, so the entry's moment is the answer's number
        with self._table.evidence.expect_photograph(entry.moment) as keep:
            rejection = enter(self._table, viewer, entry)
            if rejection is None:
                keep(photograph.evidence, said)
        return rejection


SETTLED = frozenset({"settled", "added"})
"""Ways in which the table's own camera contributed to a card's reading."""
PER_PHONE, IN_TOTAL = 6, 20  # most photos per minute, per phone and in total

UNREAD_PHOTOGRAPHS: Mapping["UnreadReason", Phrase] = {
    "photo unreadable": phrase("That isn't a photo the table can read. Send a JPEG, PNG, WebP or HEIC."),
    "photo huge": phrase("That photo has too many pixels. Choose a smaller size in the camera."),
    "photo failed": phrase("The photo couldn't be read. Take another, or enter the cards by hand."),
    "photo slow": phrase(
        "Reading took too long. Move closer so that the cards fill the picture, and try again."
    ),
    "photo busy": Texts.busy,
}


class Purpose(Struct, frozen=True):
    """Purpose of a photo: which cards are asked for, and where the answer goes."""

    key: str
    match: Match
    stands: Position
    ask: Show
    answer: Answer
    home: str
    goes_to: str
    by_hand: str
    tab: Literal["seat", "host"]


class PhotographPage(Page):
    """Pages for photos."""

    def __init__(self, table: "Table", pages: Pages, recent: RecentPhotographs) -> None:
        super().__init__(table, pages)
        limit = AttemptLimit(each=PER_PHONE, most=IN_TOTAL)
        self._remembered, self._uploads = recent, Uploads("photo", limit)

    @get("/seat/photo/<ask>")
    @post("/seat/photo/<ask>")
    @get("/seat/photo/<ask>/read")
    def of_seat(self, ask: str) -> Response:
        return self._serve(lambda viewer: _seat_purpose(self._table.client.moment(), viewer, ask), "/seat")

    @get("/host/photo/<int:heard_at>")
    @post("/host/photo/<int:heard_at>")
    @get("/host/photo/<int:heard_at>/read")
    def of_host(self, heard_at: int) -> Response:
        return self._serve(lambda viewer: _host_purpose(self._table.client.moment(), viewer, heard_at), "/host")

    @get("/photo.jpg")
    def picture(self) -> Response:
        viewer = self._viewer()
        taken = self._remembered.latest_of(viewer.form) if request.cookies.get(VISITOR) else None
        if taken is None:
            return Response(status=404)
        return Response(taken.photograph.picture, mimetype="image/jpeg")

    def _serve(self, purpose_of: Callable[[Viewer], Purpose | None], home: str) -> Response:
        viewer = self._viewer()
        purpose, is_sent = purpose_of(viewer), request.method == "POST"
        if purpose is None or not request.cookies.get(VISITOR):
            return self._not_asked(viewer) if is_sent else redirect_to(home)
        if is_sent:
            return self._receive(viewer, purpose, purpose_of)
        taken = self._remembered.latest_of(viewer.form)
        if not request.path.endswith("/read"):
            return self._aim_page(viewer, purpose)
        if taken is None or taken.key != purpose.key:
            return redirect_to(purpose.home)
        listener, read = self._listener(viewer), taken.photograph.cards
        up = alternatives.reviewed_cards(read)
        faces = tuple(card.face for card in up if card.face is not None)
        values = {
            **self._asked(purpose, viewer),
            "mark": taken.mark,
            "match": match_id(purpose.match),
            "moment": purpose.match.number,
            "said": ", ".join(read_card_text(card, listener) for card in up),
            "cards": alternatives.encode_cards(faces) if len(faces) == len(up) else "",
            "refused": _refusal(purpose, faces, listener) if len(faces) == len(up) else "",
            "questions": [_question(number, card, purpose, listener) for number, card in enumerate(up, 1)],
            "hidden_count": len(read) - len(up),
            "settled": ", ".join(read_card_text(card, listener) for card in read if card.second in SETTLED),
            "is_disputed": any(card.second == "disputed" for card in read),
            "looks_like": taken.photograph.looks_like,
            "deck": purpose.ask.deck.name,
            "over_more": ", ".join(read_card_text(card, listener) for card in read if card.more_below),
        }
        return self._draw("photo_read", viewer, values)

    def _not_asked(self, viewer: Viewer) -> Response:
        # the moment may have passed while a player took the photo
        if IS_FOR["player"](viewer):
            drain_upload(request)
        return self._draw("fault", viewer, {"why": Texts.photo_unasked}, 403)

    def _receive(
        self, viewer: Viewer, purpose: Purpose, purpose_of: Callable[[Viewer], Purpose | None]
    ) -> Response:
        def purpose_now() -> Purpose | None:
            now = purpose_of(self._viewer())
            return now if now is not None and now.key == purpose.key else None

        try:
            with self._uploads.receive(request, viewer, lambda: purpose_now() is not None) as file:
                photograph = self._table.photographs.read(file)
        except UploadError as error:
            if purpose_now() is None:
                return self._not_asked(self._viewer())
            return self._aim_page(viewer, purpose, self._rejection(viewer, error.text, error.code))
        if isinstance(photograph, str):
            return self._aim_page(viewer, purpose, self._rejection(viewer, UNREAD_PHOTOGRAPHS[photograph], 422))
        self._remembered.keep(viewer.form, purpose.key, photograph)
        return redirect_to(f"{purpose.home}/read")

    def _aim_page(self, viewer: Viewer, purpose: Purpose, rejection: Rejection | None = None) -> Response:
        return self._draw("photo", viewer, {**self._asked(purpose, viewer), "rejection": rejection})

    def _asked(self, purpose: Purpose, viewer: Viewer) -> dict[str, object]:
        game, key = purpose.match.setup.game, purpose.ask.key
        asked = ask_text(self._listener(viewer), game, purpose.stands, key, viewer.seat)
        return {"purpose": purpose, "asked": asked, "here": purpose.tab}


def _seat_purpose(match: Match, viewer: Viewer, key: str) -> Purpose | None:
    """Return the purpose of a seat's photo; None if the seat isn't asked for cards."""
    ask = None if viewer.seat is None else ask_named(asks_of(match.asks, viewer.seat), key)
    if not isinstance(ask, Show):
        return None
    name = seat_key(match, match.number, key)
    answer = Answer(match.number, key, (), viewer.seat if ask.seats else None, "phone")
    home = f"/seat/photo/{key}"
    return Purpose(name, match, match.position, ask, answer, home, "/seat/answer", "/seat", "seat")


def _host_purpose(match: Match, viewer: Viewer, heard_at: int) -> Purpose | None:
    """Return the purpose of the host's photo; None if there are no cards to correct."""
    step = next((step for step in standing_answers(match) if step.heard_at == heard_at), None)
    ask = None if step is None or not viewer.is_host else ask_named(step.before.asks, step.answer.ask)
    if step is None or not isinstance(ask, Show):
        return None
    name, there = correction_key(match, heard_at), f"/host/correct/{heard_at}"
    home = f"/host/photo/{heard_at}"
    return Purpose(name, match, step.before, ask, step.answer, home, there, there, "host")


def _refusal(purpose: Purpose, faces: tuple[str, ...], listener: Listener) -> str:
    answer = Answer(purpose.answer.moment, purpose.ask.key, faces, purpose.answer.seat, "phone")
    result = step_from(purpose.match.setup.game, purpose.stands, answer, answer.moment)
    return refusal_text(listener, result) if isinstance(result, Refusal) else ""


def _question(number: int, card: "ReadCard", purpose: Purpose, listener: Listener) -> Mapping[str, object]:
    """Return the review question about one card in a photo, with its possible faces."""
    faces = alternatives.possible_faces(card, purpose.ask)
    chances = [Button(face, face_name(listener, face), face == card.face) for face in faces]
    text = page_text(listener.language, phrase("Card {number}"), number=number)
    leave_out = Button("", page_text(listener.language, phrase("doesn't count")))
    return {"field": f"{READ}{number}", "text": text, "chances": (*chances, leave_out)}
