"""`coyote cards read`: the cards in a photograph."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain, count
from math import floor
from pathlib import Path
from time import perf_counter

import click
import cv2
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.cli.output import ANY_PATH, as_plain, click_errors, write_output
from firmware.language.speaking import LANGUAGE, PROGRAM, _, label_text, problem_text, system_text
from firmware.services.photographs import QUICK_DECKS, find_likely_deck
from firmware.storage.decks import deck_named
from referee.sentences import share_text
from vision.files import read_small
from vision.photographs import HUGE, decode_photograph
from vision.pictures import Picture
from vision.process.covered_cards import mark_more_below
from vision.process.evidence import annotate_picture
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import surroundings_at
from vision.sightings import Reading, Sighting, likely_face
from vision.table.calibration import calibrate, legibility_problems
from vision.troubles import Problem, TroubleError

LARGEST = 500_000_000  # bytes of a picture file
KINDS = frozenset({".jpg", ".jpeg", ".png"})  # file name extensions of written pictures


class PictureReading(Struct, frozen=True):
    """The result of reading one picture."""

    picture: str
    cards: tuple[Sighting, ...]
    unexplained: int
    ms: float
    looks_like: str | None = None
    """The other deck that these cards probably belong to, if any."""
    untried: tuple[str, ...] = ()  # decks not tried, if no deck fits
    problems: tuple[Mapping[str, object], ...] = ()
    """Problems of the picture, if no card is sure."""


@click.command(
    help=_("""Read the cards in photographs.

    The deck is the name or the folder of a taught deck, or a deck that coyote prints. If all four corner
    markers are in the picture, their table is used; otherwise cards are found by their shape. An uncertain card
    is shown as likely, with its probability, or as unsure, with the possible faces.

    \b
    coyote cards read table.jpg --deck coyote-gigamic
    coyote cards read *.jpg --deck my-coyote --json""")
)
@click.argument("pictures", nargs=-1, required=True, type=ANY_PATH, metavar="PICTURE...")
@click.option("--deck", "name", required=True, metavar="NAME", help=_("The deck of the cards."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object per line for each picture."))
@click.option(
    "--annotate",
    type=ANY_PATH,
    metavar="OUT",
    help=_("Draw the result to this file, or for several pictures to this folder."),
)
def reading(pictures: Sequence[Path], name: str, annotate: Path | None, *, as_json: bool) -> None:
    places = (None,) * len(pictures) if annotate is None else drawing_places(pictures, annotate)
    try:
        deck = deck_named(name)
    except TroubleError as error:
        kind = click.UsageError if error.problem.key == "no such deck" else click.ClickException
        raise kind(problem_text(error.problem)) from error
    unread = 0
    for file, place in zip(pictures, places, strict=True):
        try:
            frame = photograph_in(file)
        except click.ClickException as error:
            # the others may be readable
            unread += 1
            click.echo(label_text(PROGRAM, error.format_message()), err=True)
            continue
        result, seen = _read_frame(file, frame, deck, name)
        click.echo(msgspec.json.encode(result).decode() if as_json else "\n".join(reading_lines(result, name)))
        if place is not None:
            with click_errors(place.parent):
                place.parent.mkdir(parents=True, exist_ok=True)
            write_output(place, cv2.imencode(place.suffix, annotate_picture(frame, seen))[1].tobytes())
    if unread:
        raise click.exceptions.Exit(1)


def photograph_in(file: Path) -> Picture:
    """Load a photograph in its proper orientation."""
    if file.is_dir():
        message = _("{file} is a folder: name its pictures with {file}/*")
        raise click.ClickException(message.format(file=file))
    try:
        return decode_photograph(BytesIO(read_small(file, LARGEST)))
    except OSError as error:
        raise click.ClickException(label_text(str(file), system_text(error))) from error
    except TroubleError as error:
        why = Problem("no picture", {"file": str(file)})
        if error.problem.key == "huge":
            why = Problem("too many pixels", {"file": str(file), "most": HUGE // 1_000_000})
        raise click.ClickException(problem_text(why)) from error


def _read_frame(file: Path, frame: Picture, deck: Templates, name: str) -> tuple[PictureReading, Reading]:
    table, start = calibrate(frame), perf_counter()
    around = None if table is None else surroundings_at(table)
    seen = mark_more_below(read(frame, deck, table=around), frame, deck.size, around)
    spent = round(1000 * (perf_counter() - start), 1)
    result = PictureReading(str(file), seen.cards, len(seen.unexplained), spent)
    wrong = () if any(card.sure for card in seen.cards) else legibility_problems(frame)
    if wrong:
        return replace(result, problems=tuple(map(as_plain, wrong))), seen
    likely = find_likely_deck(frame, seen, name, around, QUICK_DECKS)
    return replace(result, looks_like=likely.name, untried=() if likely.name else likely.untried), seen


def reading_lines(result: PictureReading, deck: str) -> Iterator[str]:
    count = len(result.cards)
    message = LANGUAGE.ngettext("{picture}: {count} card", "{picture}: {count} cards", count)
    yield message.format(picture=result.picture, count=count)
    yield from (f"  {problem['said']}" for problem in result.problems)
    covering = _("{card}; under or beside it are more cards that I can't read: spread them, please")
    for card in result.cards:
        yield "  " + (covering.format(card=name_text(card)) if card.more_below else name_text(card))
    if result.unexplained:
        message = _("other objects that can't be read or aren't cards of this deck: {count}")
        yield "  " + message.format(count=result.unexplained)
    if result.looks_like is not None:
        message = _("these look like cards of {other}, not of {deck}: read them with --deck {other}")
        yield "  " + message.format(other=result.looks_like, deck=deck)
    if result.untried:
        message = _("if they belong to another deck, name it: --deck {names}")
        yield "  " + message.format(names=", ".join(result.untried))


def name_text(card: Sighting) -> str:
    if card.facing == "down":
        return _("face down")
    if card.sure and card.face is not None:
        return card.face if card.possible else _("{face}, which can't be here").format(face=card.face)
    likely = likely_face(card)
    if likely is not None:
        # rounded down, because it isn't sure
        message = _("{face}, likely: {share}")
        return message.format(face=likely, share=share_text(floor(100 * (card.chance or 0.0)) / 100))
    guesses = ", ".join(f"{other.face} {other.score:.2f}" for other in card.runners_up[:3])
    return _("unsure: {guesses}").format(guesses=guesses) if guesses else _("unknown")


def drawing_places(pictures: Sequence[Path], annotate: Path) -> tuple[Path, ...]:
    """Return the output file of each drawing; names that would overwrite something are refused."""
    is_file = len(pictures) == 1 and not annotate.is_dir() and (bool(annotate.suffix) or annotate.exists())
    if is_file:
        if annotate.suffix.lower() not in KINDS:
            raise click.UsageError(
                _("the name of the picture must end with .png or .jpg: {file}").format(file=annotate)
            )
    elif not annotate.is_dir() and (annotate.exists() or annotate.suffix.lower() in KINDS):
        message = _("{file} can't hold several pictures: name a folder with --annotate")
        raise click.UsageError(message.format(file=annotate))
    # drawings are named like their pictures; duplicates are numbered
    places, taken = [annotate] if is_file else list[Path](), set[str]()
    for picture in () if is_file else pictures:
        names = chain([picture.stem], (f"{picture.stem}-{number}" for number in count(2)))
        name = next(each for each in names if each.casefold() not in taken)
        taken.add(name.casefold())
        places.append(annotate / f"{name}.jpg")
    for place in places:
        if place.exists() and any(picture.exists() and place.samefile(picture) for picture in pictures):
            message = _(
                "{file} is a picture to read and would be overwritten: name another file with --annotate"
            )
            raise click.UsageError(message.format(file=place))
    return tuple(places)
