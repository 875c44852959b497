"""`coyote print`: decks, markers, play mat and tokens as PDF; also the wiring and the case."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import cv2

from firmware.cli import wiring
from firmware.cli.board import choose_board, ring_sentence
from firmware.cli.cameras import height_rows
from firmware.cli.output import FILE, FOLDER, STDOUT, click_errors, parse_size, say_all, write_output
from firmware.language.speaking import PROGRAM, _, label_text
from firmware.state_folder import state_directory
from firmware.storage.wired_board import NONE, WIRED_BOARD
from hardware.board.board import FAB, our_boards
from hardware.board.drawings import drawings_of
from hardware.board.fabrication import SIZE, VERSION, fab_zip, project_files
from hardware.case.pieces import PIECES, is_renderable, sources, stl
from hardware.case.portrait import grams, mesh, portrait, print_hours, sheet
from hardware.decks.catalogue import PRINTED
from hardware.decks.print import documents
from hardware.decks.print.documents import MARKS
from hardware.decks.print.sheets import PAPERS
from referee.games.catalogue import GAMES

Command = Callable[..., Any]
LINE = 200  # maximum characters of a command in the help


class Prints(click.Group):
    """A group whose help shows full lines, without click's untranslated heading."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl([(name, each.get_short_help_str(LINE)) for name, each in commands if each])


@click.group(
    cls=Prints,
    context_settings={"show_default": True},
    help=_("""Create files to print. Decks, markers, mat, tokens: PDF files; print them at 100 %, on both sides,
    flipped on the long edge, and cut them out. Board: files for a manufacturer. Wiring: what to connect.
    Case: files for a 3D printer."""),
    epilog=_("Begin with: {command}").format(command=f"{PROGRAM} print deck coyote-gigamic -o coyote.pdf"),
)
def prints() -> None:
    """Group the print commands."""


def on_paper(command: Command) -> Command:
    paper = click.option("--paper", type=click.Choice(PAPERS), default="a4", help=_("The paper size."))
    output = click.option("-o", "--output", type=FILE, required=True, help=_("The PDF file to write."))
    return paper(output(command))


@prints.command(help=_("A deck: {names}.").format(names=", ".join(PRINTED)))
@click.argument("name", type=click.Choice(PRINTED), metavar="NAME")
@click.option(
    "--mark",
    type=click.Choice(MARKS),
    metavar=f"{MARKS[0]}-{MARKS[-1]}",
    help=_("A small letter on every card, to keep several decks of one game apart."),
)
@on_paper
def deck(name: str, mark: str | None, paper: str, output: Path) -> None:
    if PRINTED.is_plain(name):
        click.echo(_("{game} has no artwork: its cards are drawn plainly.").format(game=name), err=True)
    _write(output, documents.deck_sheets(PRINTED[name], paper, mark))


@prints.command(help=_("The four plates with corner markers, each with a white patch."))
@on_paper
def markers(paper: str, output: Path) -> None:
    _write(output, documents.markers(paper))


@prints.command(help=_("The play mat with its zones: an overview, then tiles to join."))
@click.option("--game", "name", type=click.Choice(GAMES), help=_("Add the zones that this game needs."))
@on_paper
def mat(name: str | None, paper: str, output: Path) -> None:
    zones = () if name is None else (GAMES[name].table.parting(0).parts,)
    _write(output, documents.mat(paper, *zones))


@prints.command(help=_("Paws, coins and the other tokens of all games."))
@on_paper
def tokens(paper: str, output: Path) -> None:
    _write(output, documents.tokens(paper))


@prints.command(
    help=_("The height of each camera above a table, for the given distances between the corner plates.")
)
@click.option(
    "--apart",
    default="844x556",
    help=_("Distances between the markers' centres in millimetres, across and down: 844x556."),
)
def heights(apart: str) -> None:
    say_all(height_rows(parse_size(apart, 20, 10_000)))


@prints.command(
    "wiring",
    help=_("""Each pin and its use. For the fab board and the solderless one, also a parts list and a checklist.

    With -o, files: wiring-PROFILE.md, pins-PROFILE.csv and a picture. By default the text is printed."""),
)
@click.option("--profile", metavar="P", help=_("The board: fab, two or none; by default the wired one."))
@click.option("--board", "file", type=FILE, help=_("Your own board.toml instead of the built-in boards."))
@click.option("-o", "--output", "folder", type=FOLDER, metavar="FOLDER", help=_("The folder to write to."))
def wiring_(profile: str | None, file: Path | None, folder: Path | None) -> None:
    name, board = choose_board(profile or (_wired_profile() if file is None else None), file)
    if ring := ring_sentence(name, board):
        click.echo(str(ring), err=True)
    text = wiring.document(board, name)
    if folder is None:
        click.echo(wiring.plain_text(text), nl=False)
        return
    texts = {f"wiring-{name}.md": text.encode(), f"pins-{name}.csv": wiring.pin_rows(board).encode()}
    _write_all(folder, {**drawings_of(board, name), **texts})
    click.echo(label_text(str(folder), f"{name}, {wiring.summary(board)}"))


@prints.command(
    "board",
    help=_("""The board for six seats, as a zip file for a manufacturer: Gerber files, holes, positions, parts.

    It has two layers and needs only a manufacturer's standard options. For soldering instructions:
    coyote print wiring --profile fab"""),
)
@click.option("-o", "--output", type=FILE, help=_("The zip file to write."))
@click.option(
    "--all",
    "folder",
    type=FOLDER,
    metavar="FOLDER",
    help=_("Write everything to a folder: KiCad project, schematic, picture, 3D model, and these files."),
)
def board_(output: Path | None, folder: Path | None) -> None:
    if output is None and folder is None:
        raise click.UsageError(_("name the zip file with -o, or a folder with --all"))
    if output is not None and output.suffix.lower() not in {"", ".zip"}:
        raise click.UsageError(_("{file}: manufacturers need a zip file: name it .zip").format(file=output))
    if folder is not None:
        _write_all(folder, project_files())
        message = _("{folder}: the KiCad project of board {version}")
        click.echo(message.format(folder=folder, version=VERSION), err=output == STDOUT)
    if output is None:
        return
    write_output(output, fab_zip())
    message = _("{file}: board {version}, {size}, two layers; order it without changes")
    click.echo(message.format(file=output, version=VERSION, size=SIZE), err=output == STDOUT)


@prints.command(
    "parts",
    help=_("""The parts to order for a board, each with its part number, quantity and estimated price.

    Boards: fab, two and none; by default the wired one."""),
)
@click.option("--profile", metavar="P", help=_("The board: fab, two or none."))
def parts_(profile: str | None) -> None:
    name, board = choose_board(profile or _wired_profile())
    click.echo(wiring.plain_text(wiring.shopping_list(board, name)), nl=False)


@prints.command(
    help=_("""The boxes and the camera's arm, for a 3D printer.

    Writes the OpenSCAD sources; their first lines are sizes that you can change. If OpenSCAD is installed, also
    writes STL files to print, a picture of each piece and one of all pieces.""")
)
@click.option(
    "-o", "--output", "folder", type=FOLDER, metavar="FOLDER", required=True, help=_("The folder to write to.")
)
def case(folder: Path) -> None:
    _write_all(folder, sources())
    if not is_renderable():
        click.echo(_("{folder}: sources only; for STL files: apt install openscad").format(folder=folder))
        return
    rendered = {name: stl(piece) for name, piece in PIECES.items()}
    files = {f"{name}.stl": content for name, content in rendered.items()}
    shown = {name: (mesh(rendered[name]), piece.turn, piece.tilt) for name, piece in PIECES.items()}
    for name, (triangles, _turn, _tilt) in shown.items():
        weight = grams(triangles)
        message = _("{name}: up to {grams:.0f} g, {hours:.1f} h")
        click.echo(message.format(name=name, grams=weight, hours=print_hours(weight)))
    pictures = {name: portrait(*piece) for name, piece in shown.items()}
    for name, picture in {**pictures, "case": sheet(pictures)}.items():
        files[f"{name}.png"] = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()
    _write_all(folder, files)
    click.echo(_("{folder}: {count} pieces").format(folder=folder, count=len(rendered)))


def _wired_profile() -> str:
    """Return the profile of the wired board if it is one of ours, or else the default one."""
    wired = WIRED_BOARD.find(state_directory())
    return wired.profile if wired is not None and wired.profile in (*our_boards(), NONE) else FAB


def _write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        with click_errors(folder):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_output(folder / name, content)


def _write(file: Path, content: bytes) -> None:
    if file.suffix.lower() not in {"", ".pdf"}:
        raise click.UsageError(_("{file}: the file is a PDF: name it .pdf").format(file=file))
    write_output(file, content)
    message = _("{file}: print it at 100 % and check the ruler at the side: 50 mm")
    click.echo(message.format(file=file), err=file == STDOUT)
