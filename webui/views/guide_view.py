"""The guide to real cards: its strip, and its texts about the cards found so far."""

from typing import TYPE_CHECKING

from msgspec import Struct

from referee.contract.words import Phrase, phrase, plural
from referee.sentences import Language
from vision.sightings import Outline, Point
from vision.table.camera_names import PHONE, PI, USB, is_network
from vision.table.card_plane import middle_of
from webui.views.words import page_text

if TYPE_CHECKING:
    from firmware.services.finding import CardsLaid
    from firmware.services.real_cards import RealCards

STEPS = (phrase("camera"), phrase("table"), phrase("players"), phrase("seats"))
WELCOME, CAMERA, TABLE, NEW = "/welcome", "/welcome/camera", "/host/table", "/host/new"


class GuideStrip(Struct, frozen=True):
    """The strip above each step."""

    step: int
    what: str
    camera: str
    back: str
    before: str
    """Name of the page before."""
    others: str = ""
    """Address of the choice of cameras; empty if options named the camera."""
    back_form: bool = False
    """Whether the way back changes the table's state."""
    is_whole: bool = True
    """Whether all four steps follow each other."""


def camera_title(name: str) -> Phrase:
    if name == PHONE:
        return phrase("Phone or browser")
    if is_network(name):
        return phrase("Network camera")
    if PI.fullmatch(name):
        return phrase("Raspberry Pi camera")
    return phrase("USB webcam") if USB.fullmatch(name) else phrase("Camera")


def strip_of(
    step: int, cards: "RealCards", language: Language, game: str, *, is_whole: bool, came_from: str = ""
) -> GuideStrip:
    """Return the strip of a step: camera, table, players, seats; the first leads back to where people were."""
    query = f"?game={game}"
    others = "" if cards.is_fixed else f"{CAMERA}{query}&from=table"
    welcome, camera = page_text(language, phrase("Welcome")), page_text(language, phrase("Camera"))
    host, title = page_text(language, phrase("Host")), page_text(language, camera_title(cards.camera))
    table, players = page_text(language, phrase("Table")), page_text(language, phrase("Players"))
    what = page_text(language, STEPS[step - 1])
    if step == 1:
        ways = {"table": (TABLE, table), "host": ("/host", host)}
        return GuideStrip(
            1, what, page_text(language, phrase("Real cards")), *ways.get(came_from, (WELCOME, welcome))
        )
    if step == 2:
        back, before = (others, camera) if is_whole and others else ("/host", host)
        return GuideStrip(2, what, title, back, before, others, is_whole=is_whole)
    if step == 3:
        return GuideStrip(3, what, title, f"{TABLE}/by", table, others, back_form=True)
    if is_whole:
        return GuideStrip(4, what, title, f"{NEW}{query}", players, others)
    return GuideStrip(4, what, title, f"{TABLE}/by", table, others, back_form=True, is_whole=False)


# the cards found so far


class GuideWords(Struct, frozen=True):
    """The question, a sentence that helps, and the missing condition of the button."""

    question: str
    help: str
    missing: str


class Answer(Struct, frozen=True):
    """One of the three answers: distance, light, angle."""

    name: str
    word: str
    is_odd: bool


class DrawnCard(Struct, frozen=True):
    """A card's outline in the picture, and its obstacle; empty if there is none."""

    outline: Outline
    hindrance: str = ""

    @property
    def middle(self) -> Point:
        return middle_of((self.outline,))


NEEDED = 4
HINDERED = {
    "covered": (phrase("covered"), phrase("{count} of 4 cards found: one is covered."),
                phrase("Draw the cards apart. Each is needed whole.")),
    "near edge": (phrase("too near the edge"), phrase("{count} of 4 cards found: one is too near the edge."),
                  phrase("Push it towards the middle of the picture.")),
    "doubtful": (phrase("a card?"),
                 plural("{count} outline. Is it a card?", "{count} outlines. Are they cards?", by="count"),
                 phrase("The table knows no name on them. Tap each card, or clear the table for one picture.")),
    "hand": (phrase("a hand"), phrase("{count} of 4 cards found: a hand is in the picture."),
             phrase("Take it away, so that all cards are visible.")),
}  # fmt: skip
WRONG = {
    "too dark": (phrase("Too dark: turn on a lamp."), phrase("It is enough once this line goes.")),
    "too bright": (phrase("Too bright: turn a lamp away."), phrase("White paper must not dazzle the camera.")),
    "out of focus": (phrase("Blurred: wait for the focus."), phrase("If it stays blurred, turn the lens.")),
    "too far": (phrase("Too far: move the camera closer."),
                phrase("A card is {pixels} dots wide; names are sure from {needed} on.")),
    "too flat": (phrase("Too flat: hold the camera steeper."),
                 phrase("It looks {angle}° off the vertical; up to {most}° reads well.")),
}  # fmt: skip
ODD_WORDS = {
    "too dark": phrase("too dark"), "too bright": phrase("too bright"), "out of focus": phrase("blurred"),
    "too far": phrase("too far"), "too flat": phrase("too flat"),
}  # fmt: skip
GAUGES = (
    (phrase("Distance"), phrase("good"), ("too far",)),
    (phrase("Light"), phrase("bright"), ("too dark", "too bright", "out of focus")),
    (phrase("Angle"), phrase("fine"), ("too flat",)),
)


def words_for(laid: "CardsLaid | None", language: Language) -> GuideWords:
    """Return the one instruction: light and distance first, then what hinders a card, and missing cards."""

    def say(text: Phrase, **values: object) -> str:
        return page_text(language, text, **values)

    if laid is not None and laid.is_clearing:
        clear = say(phrase("Clear the table: one picture without cards."))
        return GuideWords(
            clear, say(phrase("What lies there now is never taken for a card. Books and cups may stay.")), ""
        )
    if laid is None:
        return GuideWords(say(phrase("No picture from the camera.")), "", say(phrase("Waiting for a picture")))
    count, wrong = len(laid.free), laid.shown.wrong
    more = max(1, NEEDED - count)
    missing = say(plural("1 more card needed", "{count} more cards needed", by="count"), count=more)
    help_ = "".join(say(WRONG[each.key][1], **each.values) for each in wrong[:1])
    if laid.is_enough:
        found = phrase("{count} outlines. Are they your cards?")
        asked = phrase("Four outlines. Are they your four cards?") if count == NEEDED else found
        tap = say(phrase("Tap an outline that is no card. Tap a card without an outline."))
        return GuideWords(say(asked, count=count), help_ or tap, "")
    if wrong:
        asked, more_about = WRONG[wrong[0].key]
        return GuideWords(say(asked), say(more_about, **wrong[0].values), missing)
    whys = [each.why for each in laid.shown.cards if each.why is not None]
    if whys:
        _label, asked, cure = HINDERED[whys[0]]
        outlines = len(laid.outlined) if whys[0] == "doubtful" else count
        return GuideWords(say(asked, count=outlines), say(cure), missing)
    if laid.told.others:
        left = plural(
            "{count} outline is left. Tap another card.",
            "{count} outlines are left. Tap another card.",
            by="count",
        )
        return GuideWords(
            say(left, count=count), say(phrase("What you tapped away isn't asked about again.")), missing
        )
    if count >= NEEDED:
        odd = phrase("{count} cards found, but they don't lie flat. Lay one more.")
        return GuideWords(say(odd, count=count), help_, missing)
    some, none = phrase("{count} of 4 cards found. Lay the others apart."), phrase("Spread out any four cards.")
    line = say(phrase("Each card gets a green line when it is found."))
    return GuideWords(say(some if count else none, count=count), help_ or line, missing)


def answers_about(laid: "CardsLaid | None", language: Language) -> list[Answer]:
    """Return distance, light and angle; nothing without a picture of cards, or if all is well with it."""
    if laid is None or laid.is_clearing or (laid.is_enough and not laid.shown.wrong):
        return []
    keys = tuple(each.key for each in laid.shown.wrong)
    odd = [next((key for key in keys if key in bad), "") for _name, _good, bad in GAUGES]
    return [
        Answer(page_text(language, name), page_text(language, ODD_WORDS.get(key, good)), bool(key))
        for (name, good, _bad), key in zip(GAUGES, odd, strict=True)
    ]


def drawn_cards(laid: "CardsLaid | None", language: Language) -> list[DrawnCard]:
    return [
        DrawnCard(each.outline, "" if each.why is None else page_text(language, HINDERED[each.why][0]))
        for each in (() if laid is None or laid.is_clearing else laid.shown.cards)
    ]
