"""Choosing a board: a profile of ours or of somebody's own file, and what is wrong with it in words."""

from collections.abc import Mapping
from pathlib import Path

import click

from firmware.cli.output import click_errors
from firmware.language.speaking import LANGUAGE, _, later
from hardware.board.board import Board, Boards, our_boards, read_boards
from hardware.board.checks import troubles
from hardware.board.troubles import BoardError, Trouble
from referee.telling import Language

WORDS: Mapping[str, str] = {
    "unreadable": later("{file}: not a board: {why}"),
    "no such pin": later("{what}: GPIO{gpio} is not on the header: take GPIO2 to GPIO27"),
    "eeprom": later("{what}: GPIO{gpio} is kept for the boards that are plugged on: take GPIO2 to GPIO27"),
    "kept": later("{what}: GPIO{gpio} belongs to {interface}, which is to stay free"),
    "pulled up": later(
        "{what}: GPIO{gpio} has a resistor that pulls it up: good for a button, not for an output"
    ),
    "clash": later("{what}: GPIO{gpio} is taken by {other}"),
    "seats": later("a board has 0 to {most} seats, not {seats}"),
    "table buttons": later("the table has one button or two of its own, not {count}"),
    "not for each seat": later("{what}: {count} pins for {seats} seats: name one for each"),
    "too few outputs": later(
        "{chips} shift registers have too few outputs: {needed} are needed, 8 are on a chip"
    ),
    "pin current": later(
        "{what}: GPIO{gpio} would give {milliamps} mA, {most} at most: take a larger resistor"
    ),
    "total current": later(
        "all pins together would give {milliamps} mA, {most} at most: take larger resistors"
    ),
    "output current": later(
        "a lamp would draw {milliamps} mA from its chip, {most} at most: take a larger resistor"
    ),
    "chip current": later("a chip would give {milliamps} mA, {most} at most: take larger resistors"),
    # while it runs
    "no pin": later("GPIO{gpio} can't be used: end the other program that has it ({why})"),
    "no pins": later("no pin can be used ({why}): install lgpio, and let this user into the group gpio"),
    "no espeak": later("nothing is spoken: espeak-ng isn't installed: apt install espeak-ng"),
    "no loudspeaker": later("nothing is heard: no loudspeaker: plug one in, or choose volume 0"),
    "voice hangs": later("{voice}: no answer; it is left out until the next start"),
    "voice failed": later("{voice}: broken, and left out until the next start ({why})"),
}


def trouble_text(trouble: Trouble, language: Language = LANGUAGE) -> str:
    """Say what is wrong with a board, and what to do."""
    values = {
        name: f"{value:g}" if isinstance(value, float | int) else value
        for name, value in trouble.values.items()
    }
    return language.gettext(WORDS[trouble.key]).format(**values)


def boards(file: Path | None) -> Boards:
    """Read our profiles, or those of a file."""
    if file is None:
        return our_boards()
    with click_errors(file):
        text = file.read_text(encoding="utf-8", errors="replace")
    try:
        return read_boards(text, str(file))
    except BoardError as error:
        raise click.ClickException(trouble_text(error.trouble)) from error


def choose_board(profile: str | None, file: Path | None = None) -> tuple[str, Board]:
    """Give a profile by its name, the first one if none is named; it must be fit to be built."""
    known = boards(file)
    name = next(iter(known), "") if profile is None else profile
    if name not in known:
        told = _("there is no profile {name}; there are: {names}")
        raise click.UsageError(told.format(name=name or "-", names=", ".join(known) or "-"))
    wrong = troubles(known[name])
    if wrong:
        raise click.ClickException("; ".join(trouble_text(trouble) for trouble in wrong))
    return name, known[name]
