"""Teaching at the table: the camera watches, and the terminal asks for the next card."""

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from time import sleep

import click

from firmware.cli.cameras import open_as_configured
from firmware.cli.output import click_errors
from firmware.language.speaking import LANGUAGE, _, problem_text
from firmware.storage.decks import DeckToTeach, keep_new
from referee.kit.french_cards import SUIT_ROWS
from vision.card_cuts import CutCard
from vision.pictures import Picture
from vision.process.messages import TeachingReport
from vision.process.watching import begin_watch
from vision.table.camera import WARM, CameraTroubleError, WatchedCamera
from vision.table.camera_names import is_live
from vision.teaching import lessons
from vision.teaching.attending import Attention, attend_to_picture
from vision.teaching.suit_rows import Rows, check_suit, pictures_of, teach_rows
from vision.teaching.taught_decks import is_safe_name
from vision.troubles import Problem, TroubleError

PATIENT, NAP = 300, 0.1
"""Failed pictures before a camera is given up; seconds between attempts."""

SAYINGS: Mapping[str, str] = {
    "lay": _("lay {face} alone and upright"),
    "lay any": _("lay the next card alone and upright"),
    "name it": _("which face is it?"),
    "got it": _("{count} of {most} done: now move {face}, and turn it a little"),
    "taught": _("{face} is taught ({count} pictures): take it away"),
    "take away": _("take the card away"),
    "several": _("I see more than one card: leave only one"),
    "unclear": _("I see an object, but no card's edges: move it a little, or lay it on another surface"),
    "upright": _("the first time, the card must be upright: turn it"),
    "another card": _("this doesn't look like the same card: lay {face} again, or give more light"),
    "done": _("all cards are taught"),
}


def teach_card_by_card(deck: DeckToTeach, camera: str) -> lessons.Course:
    """Teach card by card; each taught card is saved, even if the course ends early."""
    course, says = lessons.begin_course(tuple(deck.faces))
    counts = dict(deck.faces)
    try:
        for event in _events(camera, deck.card, says):
            course = _take_step(deck, course, event, counts)
            if course.phase == "name":
                face = click.prompt(SAYINGS["name it"], value_proc=_parse_face)
                if face not in counts:
                    asked = _("how many of them are in the deck?")
                    counts[face] = click.prompt(asked, type=click.IntRange(0, 999), default=1)
                course = _take_step(deck, course, lessons.NameFace(str(face)), counts)
            if course.phase == "done":
                return course
    except (KeyboardInterrupt, click.Abort):
        click.echo()
    return _take_step(deck, course, "end", counts)


def _take_step(
    deck: DeckToTeach, course: lessons.Course, event: lessons.CourseEvent, counts: Mapping[str, int]
) -> lessons.Course:
    after, says = lessons.advance_course(course, event)
    _say(says)
    with click_errors(deck.folder):
        keep_new(deck, course, after, counts)
    return after


def _say(says: tuple[lessons.CoursePrompt, ...]) -> None:
    for each in says:
        click.echo(SAYINGS[each.key].format(face=each.face, count=each.count, most=lessons.PLACEMENTS))


def _parse_face(typed: str) -> str:
    if not is_safe_name(typed.strip()):
        message = _("{face} can't be the name of a face: use letters, digits and few signs")
        raise click.BadParameter(message.format(face=typed))
    return typed.strip()


def teach_suits(card: tuple[float, float], camera: str) -> Mapping[str, CutCard]:
    """Ask for each suit in two rows, and photograph it. If ended early, return the cards so far."""
    pictures, faces = _pictures(camera), dict[str, CutCard]()
    fresh = WARM if is_live(camera) else 1
    try:
        for suit, rows in SUIT_ROWS.items():
            faces |= _ask_suit(suit, rows, _fresh(pictures, fresh), faces, card)
    except (KeyboardInterrupt, click.Abort):
        click.echo()
    return faces


def _ask_suit(
    suit: str, rows: Rows, fresh: Iterator[Picture], before: Mapping[str, CutCard], card: tuple[float, float]
) -> Mapping[str, CutCard]:
    while True:
        name = LANGUAGE.gettext(suit)
        message = _("lay the {suit} upright and apart: {first} above, {second} below; then press Enter")
        first, second = (" ".join(row) for row in rows)
        click.prompt(message.format(suit=name, first=first, second=second), default="", show_default=False)
        taken = next(fresh, None)
        if taken is None:
            raise click.Abort
        try:
            named = teach_rows(taken, rows, card[0] / card[1])
            check_suit(pictures_of(before), pictures_of(named))
        except TroubleError as error:
            click.echo(problem_text(Problem(error.problem.key, {**error.problem.values, "suit": name})))
        else:
            click.echo(_("{suit}: all {count} are taught").format(suit=name, count=len(named)))
            return named


def _fresh(pictures: Iterator[Picture], after: int) -> Iterator[Picture]:
    """Yield pictures that were taken after they were requested."""
    while (taken := _picture_after(pictures, after)) is not None:
        yield taken


def _events(
    name: str, card: tuple[float, float] | None, says: tuple[lessons.CoursePrompt, ...]
) -> Iterator[lessons.CourseEvent]:
    pictures = _pictures(name)
    next(pictures, None)
    click.prompt(_("take everything off the table, then press Enter"), default="", show_default=False)
    ground = _picture_after(pictures, WARM if is_live(name) else 1)
    if ground is None:
        return
    _say(says)
    attention = Attention(ground, watch=begin_watch(ground), shape=card[0] / card[1] if card else None)
    for picture in pictures:
        attention, reports = attend_to_picture(attention, picture)
        lying = (each.what for each in reports if isinstance(each, TeachingReport))
        yield from (what for what in lying if what and what != "reaching")


def _picture_after(pictures: Iterator[Picture], after: int) -> Picture | None:
    """Return the last of `after` pictures: exposure has settled, and buffered pictures are gone."""
    taken = deque(islice(pictures, after), 1)
    return taken[0] if taken else None


def _pictures(name: str) -> Iterator[Picture]:
    """Yield pictures; a failing camera is reported, and retried up to `PATIENT` times."""
    with click_errors():
        opened = open_as_configured(name)
    camera = WatchedCamera(opened) if is_live(name) else opened
    try:
        in_vain = 0
        while True:
            try:
                picture = camera.picture()
            except CameraTroubleError as error:
                if in_vain == 0:
                    click.echo(problem_text(error.problem))
                if in_vain == PATIENT:
                    raise click.ClickException(problem_text(error.problem)) from error
                in_vain += 1
                sleep(NAP)
                continue
            if picture is None:
                return
            in_vain = 0
            yield picture
    finally:
        opened.close()
