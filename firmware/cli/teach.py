"""`coyote cards teach`: learn a deck from a folder of pictures."""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import floor, isnan
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.cli.output import FOLDER, as_plain, click_errors, counter, parse_size
from firmware.language.cuts import WHY
from firmware.language.speaking import LANGUAGE, _, problem_text
from firmware.state_folder import DECKS, TRIED, state_directory
from firmware.storage.decks import all_counts
from hardware.decks.catalogue import PRINTED
from referee.kit.french_cards import SUIT_ROWS, suit_rows
from vision.teaching import taught_decks
from vision.teaching.folder_lessons import FolderLesson, teach_from
from vision.teaching.picture_checks import LEFT_OUT
from vision.teaching.picture_folders import faces_in
from vision.teaching.suit_rows import learn_suits
from vision.teaching.taught_decks import TaughtDeck, is_deck, load_deck, read_deck_file, save_deck
from vision.teaching.tried_decks import CLEAR, Doubt, try_taught
from vision.troubles import Problem

DOUBTS = frozenset({"disagrees"}) | LEFT_OUT
"""Problems with pictures of a card that may not be the named one."""
INDISTINGUISHABLE = 0.02  # margin below which two faces are indistinguishable under any conditions


def _refuse_nan(_context: click.Context, _option: click.Parameter, margin: float | None) -> float | None:
    if margin is not None and isnan(margin):
        raise click.BadParameter(_("{value} isn't possible: give millimetres").format(value=margin))
    return margin


@click.command(
    help=_("""Teach the deck NAME from a folder of pictures with one card each.

    A file's name up to the first dot or two underscores is the face: 20.jpg, max0__2.jpg; the back
    is back.jpg. Three pictures per card from above work best; flat scans cut to the card work, too. The count
    of each face can be given in counts.json as {"20": 3, "night": 1}, or in counts.csv with lines such as 20,3.
    Faces that were taught before are replaced; the others stay. A game's deck is taught completely and by its
    name, such as coup: the table then reads it instead of the printed one. A deck with any other name is only
    for coyote cards read.

    A deck of 52 cards is taught by four pictures with --rows: one suit each, upright and apart in two rows, the
    ace to the seven above, and the eight to the king below. Files are named spades, hearts, diamonds and clubs.

    Without a folder, play: the table learns a new box while you play. From pictures of whole tables, learn a
    deck with coyote cards learn.

    \b
    coyote cards teach french-52 --rows --from pictures/
    coyote cards teach coyote-gigamic --from pictures/""")
)
@click.argument("name")
@click.option("--from", "source", type=FOLDER, metavar="FOLDER", help=_("The folder of pictures."))
@click.option("--rows", is_flag=True, help=_("Teach 52 cards, one suit per picture, in two rows."))
@click.option(
    "--into", type=FOLDER, metavar="FOLDER", help=_("The folder of the deck, instead of the default one.")
)
@click.option("--card", help=_("A card's size in millimetres, such as 63x88."))
@click.option("--whole", is_flag=True, help=_("Each picture shows a card without surroundings."))
@click.option(
    "--margin",
    type=click.FloatRange(0, 60),
    callback=_refuse_nan,
    metavar="MM",
    help=_("Millimetres of surroundings on each side of the card."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: faces, unreadable, doubts."))
def teach(name: str, card: str | None, *, as_json: bool, **wish: Any) -> None:
    if not taught_decks.is_safe_name(name):
        raise click.UsageError(_("{name} can't be a deck's name").format(name=name))
    wished = TeachRequest(**wish)
    if wished.source is None:
        raise click.UsageError(
            _(
                "name a folder of pictures with --from. A table learns a new box while you play; coyote cards "
                "learn learns a deck from pictures of whole tables"
            )
        )
    if (wished.whole or wished.margin is not None) and wished.rows:
        raise click.UsageError(_("--whole and --margin need a folder of pictures with one card each"))
    if wished.whole and wished.margin is not None:
        raise click.UsageError(_("--whole means no surroundings: leave out --margin"))
    folder = wished.into or state_directory() / DECKS / name
    size = parse_size(card, 5, 500) if card else None
    with click_errors():
        if not wished.rows and takes_printed_place(name, folder):
            shown = faces_in(wished.source)
            refuse_strange_faces(name, folder, shown)
            refuse_half_deck(name, folder, shown)
        with click_errors(folder):
            if wished.rows:
                rows = suit_rows(PRINTED[name].counts) if name in PRINTED else SUIT_ROWS
                lesson = learn_suits(wished.source, rows, name, size or taught_decks.CARD)
                refuse_half_deck(name, folder, lesson.taught.faces)
            else:
                margin = 0.0 if wished.whole else wished.margin
                lesson = _learn_deck(wished.source, name, folder, size, margin)
            whole = lesson.taught
            if whole.faces:
                save_deck(whole, folder)
                whole = load_deck(folder)
    report = counter(_("comparing similar cards: {done} of {count}"))
    doubts = try_taught(whole.faces, whole.card, state_directory() / TRIED, report) if whole.faces else ()
    problems = [shot.problem for shot in lesson.shots if shot.problem is not None]
    unusual = () if size or not whole.faces or whole.card in taught_decks.SIZES else _size_lines(whole.card)
    # a file's name may contain line breaks
    lines = (
        line.replace("\n", " ")
        for line in _lines(lesson, folder, problems, (*unusual, *trial_warnings(doubts)))
    )
    click.echo(_as_json(lesson, whole, folder, problems, doubts) if as_json else "\n".join(lines))
    if lesson.missed_faces or any(problem.key in DOUBTS for problem in problems):
        raise click.exceptions.Exit(1)


class TeachRequest(Struct, frozen=True):
    """The typed source and options for learning a deck."""

    source: Path | None
    into: Path | None
    rows: bool = False
    whole: bool = False
    margin: float | None = None


# from pictures


def _learn_deck(
    source: Path, name: str, folder: Path, card: tuple[float, float] | None, margin: float | None
) -> FolderLesson:
    """Learn a deck; sizes and counts already known needn't be given again."""
    report = counter(_("looking at the pictures: {done} of {count}"))
    counts = all_counts(PRINTED[name]) if name in PRINTED else {}
    if is_deck(folder):
        before = read_deck_file(folder)
        card, counts = card or before.card, {**counts, **before.faces}
    lesson = teach_from(source, name, card, counts, margin, report)
    shown = {*counts_before(folder), *(shot.face for shot in lesson.shots)}
    unshown = (face for face in missing_faces(name, shown) if face not in lesson.unshown)
    return replace(lesson, unshown=(*lesson.unshown, *unshown))


def _lines(
    lesson: FolderLesson, folder: Path, problems: list[Problem], warnings: Iterable[str]
) -> Iterator[str]:
    """Describe the result, starting with problems."""
    yield from map(problem_text, problems)
    yield from _edge_lines(lesson)
    yield from warnings
    if lesson.unshown:
        yield _("counted, but without a picture: {faces}").format(faces=", ".join(lesson.unshown))
    for face in sorted({shot.face for shot in lesson.shots}):
        pictures = len(lesson.taught.faces.get(face, ()))
        count = lesson.taught.counts.get(face, 0)
        taught = LANGUAGE.ngettext(
            "{pictures} picture, {count} in the deck", "{pictures} pictures, {count} in the deck", pictures
        )
        done = taught if pictures else _("NOT TAUGHT")
        yield f"{face:16} " + done.format(pictures=pictures, count=count)
    yield from _cut_lines(lesson)
    if lesson.taught.faces:
        if takes_printed_place(lesson.taught.name, folder):
            message = _(
                "{name} is now read by these pictures instead of the printed ones; to undo this, "
                "remove {folder}"
            )
            yield message.format(name=lesson.taught.name, folder=folder)
        yield from _place_lines(folder)


def _cut_lines(lesson: FolderLesson) -> Iterator[str]:
    count = sum(shot.card is not None for shot in lesson.shots)
    if lesson.cut is None or not count:
        return
    messages = {
        "ground": _("{count} cut out of their surroundings, about {mm} mm at each side"),
        "nothing": _("{count} used completely: the cards have no surroundings"),
        "table": _("{count} cut out, each by its outline on a table"),
    }
    yield messages[lesson.cut.kind].format(count=count, mm=round(lesson.cut.millimetres))


def _edge_lines(lesson: FolderLesson) -> Iterator[str]:
    """Yield each picture that may be cut out wrongly, unless it is reported otherwise."""
    reported = {shot.file for shot in lesson.shots if shot.problem is not None}
    for file, why in lesson.unsure_edges.items():
        if file not in reported:
            yield _("{file}: perhaps cut out wrongly. {why}.").format(file=file, why=WHY[why])


def _size_lines(card: tuple[float, float]) -> Iterator[str]:
    """Yield a warning about an unusual shape, because something else may have been cut out."""
    message = _("card size: {across} by {high} mm; if that is wrong, give it with --card 63x88")
    yield message.format(across=round(card[0]), high=round(card[1]))


def _place_lines(folder: Path) -> Iterator[str]:
    yield _("the deck is in {folder}").format(folder=folder)
    message = _("check whether each card was cut out correctly: coyote cards show {deck} -o deck.html")
    yield message.format(deck=shlex.quote(str(folder)))


def trial_warnings(doubts: Iterable[Doubt]) -> Iterator[str]:
    """Yield the faces that trials hardly distinguish; if nothing distinguishes them, a picture is wrong.

    Cards that would be misread if they weren't taught follow in one line.
    """
    every = tuple(doubts)
    for doubt in every:
        if doubt.is_untaught:
            continue
        far = _(
            "{face} and {other} differ too little from afar, by {share} % where {least} % are needed: "
            "hang the camera lower, or mark one of them"
        )
        near = _(
            "{face} and {other} differ too little even from near, by {share} % where {least} % are needed: "
            "teach them again in good light, or mark one of them"
        )
        cut = _(
            "picture {number} of {face} looks exactly like {other}: check whether both were cut out "
            "correctly, and teach them again"
        )
        message = cut if doubt.margin < INDISTINGUISHABLE else far if doubt.view == "far" else near
        share = floor(100 * doubt.margin)
        yield message.format(
            face=doubt.face, other=doubt.other, share=share, least=round(100 * CLEAR), number=doubt.picture
        )
    named = _("{face} as {other}")
    wrong = [named.format(face=each.face, other=each.other) for each in every if each.is_untaught]
    if wrong:
        message = _("teach every card that you play with: without its picture, a card may be misread ({pairs})")
        yield message.format(pairs=", ".join(wrong))


def _as_json(
    lesson: FolderLesson, whole: TaughtDeck, folder: Path, problems: list[Problem], doubts: tuple[Doubt, ...]
) -> str:
    report = {
        "deck": whole.name,
        "folder": str(folder),
        "card": whole.card,
        "faces": {
            face: {"pictures": len(pictures), "count": lesson.taught.counts[face]}
            for face, pictures in lesson.taught.faces.items()
        },
        "not_taught": lesson.missed_faces,
        "counted_only": lesson.unshown,
        "unreadable": [as_plain(problem) for problem in problems],
        "cut": lesson.cut,
        "unsure_edges": [*lesson.unsure_edges],
        "doubts": [doubt._asdict() for doubt in doubts],
    }
    return msgspec.json.encode(report).decode()


def takes_printed_place(name: str, folder: Path) -> bool:
    return name in PRINTED and folder == state_directory() / DECKS / name


def refuse_strange_faces(name: str, folder: Path, faces: Collection[str]) -> None:
    """Refuse faces that a printed deck of this name lacks; the pages don't offer such faces."""
    known = all_counts(PRINTED[name]) if takes_printed_place(name, folder) else faces
    strange = next((face for face in faces if face not in known), None)
    if strange is not None:
        message = _(
            "the printed deck {name} has no card “{face}”, but {faces}; name each picture after its card, or "
            "choose another name for your deck"
        )
        raise click.UsageError(message.format(name=name, face=strange, faces=", ".join(known)))


def refuse_half_deck(name: str, folder: Path, faces: Collection[str]) -> None:
    if not takes_printed_place(name, folder):
        return
    # the missing faces would no longer be readable
    missing = missing_faces(name, {*faces, *counts_before(folder)})
    if missing:
        message = _(
            "{name} is a deck that coyote prints, and these of its faces have no picture: {faces}; add "
            "them, or choose another name"
        )
        raise click.UsageError(message.format(name=name, faces=", ".join(missing)))


def counts_before(folder: Path) -> Mapping[str, int]:
    """Return the counts of a deck that was taught before; empty if there is none."""
    return read_deck_file(folder).faces if is_deck(folder) else {}


def missing_faces(name: str, shown: Collection[str]) -> list[str]:
    """Return the missing faces of a printed deck; empty for other decks."""
    return [face for face in PRINTED[name].counts if face not in shown] if name in PRINTED else []
