"""`coyote cards learn`: learn a deck from photographs; each card that isn't known is asked for once."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click
import cv2
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.cli.output import ANY_PATH, FILE_HERE, click_errors, parse_size, write_output
from firmware.cli.read import PictureReading, photograph_in, reading_lines
from firmware.language.speaking import PROGRAM, _, label_text
from firmware.state_folder import DECKS, state_directory
from firmware.storage.decks import all_counts
from hardware.decks.catalogue import PRINTED
from vision.process.learning import Learning, resume_learning
from vision.process.picture_lesson import PictureLesson
from vision.sightings import Outline
from vision.teaching.draft_deck import DraftDeck
from vision.teaching.picture_folders import faces_of_list
from vision.teaching.stored_drafts import is_possible_name, save_draft
from vision.teaching.taught_decks import is_safe_name


class Question(Struct, frozen=True):
    """A card to be named: its picture, its outline there, the file of the cut card, and the possible names."""

    picture: str
    outline: Outline
    crop: str
    among: tuple[str, ...]


def ask(question: Question, *, as_json: bool) -> str | None:
    """Return the typed name, an empty one for "I don't know", None at the end of input."""
    if as_json:
        click.echo(msgspec.json.encode({"ask": question}).decode())
    else:
        click.echo(question.crop)
        if question.among:
            click.echo(_("possible names: {names}").format(names=", ".join(question.among)))
        click.echo(_("Which card is this? (Enter if you don't know) "), nl=False)
    line = sys.stdin.readline()
    return line.strip() if line else None


@click.command(
    help=_("""Learn a deck from photographs, question by question.

    The pictures are read in order. Each card that isn't known yet is cut out and asked for; from then on it is
    recognized. Cards should lie apart. Press Enter for a card that you can't name: it is asked for again in the
    next picture. The deck can be continued later with more pictures, and is read with coyote cards read.

    Without --like or --faces, any name is accepted. With --json, a question is one line
    {"ask": {"picture", "outline", "crop", "among"}}; answer it with one line, the name or nothing.

    \b
    coyote cards learn my-coyote evening/*.jpg
    coyote cards learn my-coyote table.jpg --like coyote-gigamic""")
)
@click.argument("name")
@click.argument("pictures", nargs=-1, required=True, type=ANY_PATH, metavar="PICTURE...")
@click.option(
    "--like",
    type=click.Choice(PRINTED),
    metavar="DECK",
    help=_("A deck that coyote prints with the same faces."),
)
@click.option(
    "--faces",
    "listed",
    type=FILE_HERE,
    metavar="FILE",
    help=_("The possible names, one per line, with counts if you like: 20,3."),
)
@click.option("--card", help=_("A card's size in millimetres, such as 63x88."))
@click.option("--json", "as_json", is_flag=True, help=_("Print questions and results as lines of JSON."))
def learn(
    name: str,
    pictures: Sequence[Path],
    like: str | None,
    listed: Path | None,
    card: str | None,
    *,
    as_json: bool,
) -> None:
    if not is_safe_name(name):
        raise click.UsageError(_("{name} can't be a deck's name").format(name=name))
    if name in PRINTED:
        message = _("{name} is a deck that coyote prints: choose another name")
        raise click.UsageError(message.format(name=name))
    if like is not None and listed is not None:
        raise click.UsageError(_("name either a deck with --like or a file with --faces"))
    size = parse_size(card, 5, 500) if card else None
    folder = state_directory() / DECKS / name
    with click_errors(folder):
        possible = all_counts(PRINTED[like]) if like else faces_of_list(listed) if listed else {}
        learning = resume_learning(folder, name, size, possible)
    is_open, unread = True, 0
    with TemporaryDirectory(prefix="coyote-learn-") as crops:
        for number, file in enumerate(pictures, 1):
            start = perf_counter()
            try:
                picture = photograph_in(file)
            except click.ClickException as error:
                # the others may be readable
                unread += 1
                click.echo(label_text(PROGRAM, error.format_message()), err=True)
                continue
            crop = Path(crops) / str(number)
            lesson = PictureLesson(str(file), picture, learning)
            is_open = _ask_all(lesson, crop, as_json=as_json, is_open=is_open)
            learning = _stored(lesson.learning)
            spent = round(1000 * (perf_counter() - start), 1)
            result = PictureReading(str(file), lesson.known, 0, spent)
            click.echo(
                msgspec.json.encode(result).decode() if as_json else "\n".join(reading_lines(result, name))
            )
            sys.stdout.flush()
    if not as_json:
        click.echo(_learnt_line(learning.draft))
    if unread:
        raise click.exceptions.Exit(1)


def _stored(learning: Learning) -> Learning:
    """Store what was learnt at once: it needn't be repeated after a kill."""
    draft = learning.draft
    if draft.faces or learning.stored:
        with click_errors(learning.folder):
            save_draft(draft, learning.stored, learning.folder)
    return replace(learning, stored=draft.faces)


def _ask_all(lesson: PictureLesson, crop: Path, *, as_json: bool, is_open: bool) -> bool:
    """Ask for a picture's cards. Returns whether the input is still open."""
    number = 0
    while (card := lesson.next_question()) is not None:
        number += 1
        name: str | None = ""
        if is_open:
            file = crop.with_name(f"{crop.name}-{number}.png")
            write_output(file, cv2.imencode(".png", card.cut.picture)[1].tobytes())
            draft = lesson.learning.draft
            question = Question(lesson.source, card.news.outline, str(file), tuple(draft.possible))
            while (name := ask(question, as_json=as_json)) and (why := _refusal(name, draft)):
                click.echo(json.dumps({"refused": why}, ensure_ascii=False) if as_json else why)
            is_open = name is not None
        lesson.answer(card, name or "")
        if name:
            lesson.learning = _stored(lesson.learning)
    return is_open


def _refusal(name: str, draft: DraftDeck) -> str | None:
    if draft.possible and name not in draft.possible:
        return _("{name} isn't a card of this deck").format(name=name)
    return None if is_possible_name(draft, name) else _("{name} can't be a card's name").format(name=name)


def _learnt_line(draft: DraftDeck) -> str:
    if draft.possible:
        message = _("{count} of {all} faces are learnt")
        return message.format(count=len(draft.faces), all=len(draft.possible))
    return _("faces learnt so far: {count}").format(count=len(draft.faces))
