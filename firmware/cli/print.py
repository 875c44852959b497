"""`coyote print`: decks, markers, the play mat and tokens, as PDF for any printer; the wiring and the case."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import cv2

from firmware.cli import wiring
from firmware.cli.board import choose_board, list_boards
from firmware.cli.cameras import height_rows
from firmware.cli.output import FILE, FOLDER, STDOUT, click_errors, parse_size, write_output
from firmware.language.speaking import _, label_text
from firmware.state_folder import state_directory
from firmware.storage.wired_board import WIRED_BOARD
from hardware.board.board import Board, our_boards
from hardware.board.drawings import kept_drawings
from hardware.case.pieces import PIECES, is_renderable, sources, stl
from hardware.case.portrait import Picture, mesh, portrait, sheet
from hardware.decks.catalogue import PRINTED
from hardware.decks.print.documents import MARKS, deck_sheets, markers, mat, tokens
from hardware.decks.print.sheets import PAPERS
from referee.games.catalogue import GAMES

Command = Callable[..., Any]


@click.group(
    "print",
    help=_("""Make what is printed. Decks, markers, mat, tokens: PDF files, to print at 100 %, on both sides,
    turned over the long edge; then cut. Wiring: what to solder. Case: files for a 3D printer."""),
    epilog=_("Begin with: {command}").format(command="coyote print deck coyote-gigamic -o coyote.pdf"),
)
def prints() -> None:
    """Hold the commands."""


def on_paper(command: Command) -> Command:
    """Let a command choose the paper and the file."""
    paper = click.option(
        "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help=_("The paper.")
    )
    output = click.option(
        "-o", "--output", type=FILE, metavar="FILE", required=True, help=_("The PDF file to write.")
    )
    return paper(output(command))


@prints.command(help=_("A deck: {names}.").format(names=", ".join(PRINTED)))
@click.argument("name", type=click.Choice(list(PRINTED)), metavar="NAME")
@click.option(
    "--mark",
    type=click.Choice(list(MARKS)),
    metavar=f"{MARKS[0]}-{MARKS[-1]}",
    help=_("A small letter on every card, to keep several decks of one game apart."),
)
@on_paper
def deck(name: str, mark: str | None, paper: str, output: Path) -> None:
    """Print a deck."""
    if PRINTED.is_plain(name):
        click.echo(_("{game} has no artwork: its cards are drawn plainly.").format(game=name), err=True)
    _write(output, deck_sheets(PRINTED[name], paper, mark))


@prints.command(
    "markers", help=_("The four plates for the corners of the camera's view, with a patch of white.")
)
@on_paper
def markers_(paper: str, output: Path) -> None:
    """Print the markers."""
    _write(output, markers(paper))


@prints.command("mat", help=_("The play mat with its zones: an overview, then tiles to join."))
@click.option("--game", "name", type=click.Choice(tuple(GAMES)), help=_("With the zones that this game needs."))
@on_paper
def mat_(name: str | None, paper: str, output: Path) -> None:
    """Print the mat."""
    _write(output, mat(paper) if name is None else mat(paper, GAMES[name].table.parting(0).parts))


@prints.command("tokens", help=_("Marks, coins and the other tokens of all games."))
@on_paper
def tokens_(paper: str, output: Path) -> None:
    """Print the tokens."""
    _write(output, tokens(paper))


@prints.command(
    "heights", help=_("How high each camera belongs above a table whose corner plates are so far apart.")
)
@click.option(
    "--apart",
    default="844x556",
    show_default=True,
    help=_("How far apart the markers are, in millimetres: across and down, as 844x556."),
)
def heights_(apart: str) -> None:
    """Print where the camera belongs."""
    for row in height_rows(parse_size(apart, 20, 10_000)):
        click.echo(row)


@prints.command(
    "wiring",
    help=_("""What to solder: pictures of wiring and strip board, a table of pins, what to buy, a checklist.

    With -o, files: wiring-PROFILE.svg, strips-PROFILE.svg, wiring-PROFILE.md, pins-PROFILE.csv and a poster on
    A3, poster-PROFILE.pdf; else the text is printed."""),
)
@click.option(
    "--profile",
    metavar="P",
    help=_("The board: full, six, minimal, ring or two; without it the one that is wired."),
)
@click.option("--board", "file", type=FILE, metavar="FILE", help=_("Your own board.toml, instead of ours."))
@click.option("-o", "--output", "folder", type=FOLDER, metavar="FOLDER", help=_("The folder to write to."))
def wiring_(profile: str | None, file: Path | None, folder: Path | None) -> None:
    """Print the wiring."""
    name, board = choose_board(profile or _wired_profile(file), file)
    text = wiring.document(board, name)
    if folder is None:
        click.echo(text, nl=False)
        return
    texts = {f"wiring-{name}.md": text, f"pins-{name}.csv": wiring.pin_rows(board)}
    drawn = _draw(board, name) or (kept_drawings(name) if file is None else {})
    _write_all(folder, {**drawn, **{name: content.encode() for name, content in texts.items()}})
    click.echo(label_text(str(folder), f"{name}, {wiring.summary(board)}"))


@prints.command(
    "slips",
    help=_("""What every pin would give if a board ran with the profile of another one, every button pressed.

    The currents are computed from the netlist: resistors, lamps, contacts, and what a chip answers."""),
)
@click.option("--board", "file", type=FILE, metavar="FILE", help=_("Your own board.toml, beside ours."))
def slips_(file: Path | None) -> None:
    """Print what a wrong profile does."""
    click.echo(wiring.slips_document({**our_boards(), **list_boards(file)}), nl=False)


@prints.command(
    "case",
    help=_("""The boxes and the camera's arm, for a 3D printer.

    Writes the OpenSCAD sources, whose first lines are sizes to change; where OpenSCAD is installed, also STL
    files to print, a picture of each piece, and one of all."""),
)
@click.option(
    "-o", "--output", "folder", type=FOLDER, metavar="FOLDER", required=True, help=_("The folder to write to.")
)
def case_(folder: Path) -> None:
    """Print the case."""
    _write_all(folder, sources())
    if not is_renderable():
        told = _("{folder}: only the sources: for STL files, apt install openscad")
        click.echo(told.format(folder=folder))
        return
    rendered = {name: stl(piece) for name, piece in PIECES.items()}
    files = {f"{name}.stl": content for name, content in rendered.items()}
    shown = {name: (mesh(rendered[name]), piece.turn, piece.tilt) for name, piece in PIECES.items()}
    pictures = {name: portrait(*piece) for name, piece in shown.items()} | {"case": sheet(shown)}
    _write_all(folder, files | {f"{name}.png": _png(picture) for name, picture in pictures.items()})
    click.echo(_("{folder}: {count} pieces").format(folder=folder, count=len(rendered)))


def _png(picture: Picture) -> bytes:
    return cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()


@prints.command("guide", hidden=True)
@click.argument("folder", type=FOLDER)
def guide_(folder: Path) -> None:
    """Write all drawings of our boards."""
    for name in our_boards():
        _write_all(folder, kept_drawings(name))


def _draw(board: Board, name: str) -> Mapping[str, bytes]:
    """Draw a board and its poster: what draws is part of the source, and of `./run`."""
    try:
        from hardware.board.design import drawings_of, poster_of  # noqa: PLC0415 - the wheel hasn't got it
    except ModuleNotFoundError:
        told = _("no poster, and no pictures of boards of your own: the source code's ./run draws them")
        click.echo(told, err=True)
        return {}
    return {**drawings_of(board, name), f"poster-{name}.pdf": poster_of(board, name)}


def _wired_profile(file: Path | None) -> str | None:
    """Name the board that is said to be wired, if it is one of ours and no other file is asked for."""
    wired = WIRED_BOARD.find(state_directory(os.environ))
    return wired.profile if file is None and wired is not None and wired.profile in our_boards() else None


def _write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    with click_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_output(folder / name, content)


def _write(file: Path, content: bytes) -> None:
    if file.suffix.lower() not in {"", ".pdf"}:
        raise click.UsageError(_("{file}: what is printed is a PDF: name it .pdf").format(file=file))
    write_output(file, content)
    told = _("{file}: print at 100 %, and check the ruler at the side: 50 mm")
    click.echo(told.format(file=file), err=file == STDOUT)
