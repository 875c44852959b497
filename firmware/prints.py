"""`coyote print`: decks, markers, the play mat and tokens, as PDF for any printer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.output import PRINTED as STDOUT
from firmware.output import write_output
from firmware.speaking import _
from hardware.decks.decks import PRINTED
from hardware.decks.prints import MARKS, deck_sheets, markers, mat, tokens
from hardware.decks.sheets import PAPERS

Command = Callable[..., Any]


@click.group(
    "print",
    help=_("Make PDF files to print: at 100 %, on both sides, turned over the long edge. Then cut."),
)
def prints() -> None:
    """Hold the commands."""


def on_paper(command: Command) -> Command:
    """Let a command choose the paper and the file."""
    paper = click.option(
        "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help=_("The paper.")
    )
    output = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        required=True,
        help=_("The PDF file to write."),
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
    _write(output, deck_sheets(PRINTED[name], paper, mark))


@prints.command(
    "markers", help=_("The four plates for the corners of the camera's view, with a patch of white.")
)
@on_paper
def markers_(paper: str, output: Path) -> None:
    """Print the markers."""
    _write(output, markers(paper))


@prints.command("mat", help=_("The play mat with its zones: an overview, then tiles to join."))
@on_paper
def mat_(paper: str, output: Path) -> None:
    """Print the mat."""
    _write(output, mat(paper))


@prints.command("tokens", help=_("Marks, coins and the other tokens of all games."))
@on_paper
def tokens_(paper: str, output: Path) -> None:
    """Print the tokens."""
    _write(output, tokens(paper))


def _write(file: Path, content: bytes) -> None:
    write_output(file, content)
    told = _("{file}: print at 100 %, and check the ruler at the side: 50 mm")
    click.echo(told.format(file=file), err=file == STDOUT)
