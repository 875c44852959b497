"""`coyote table pin`: show the host's PIN and the seats' codes, or draw a new PIN; the table may be running."""

from pathlib import Path

import click

from firmware.language.speaking import _
from firmware.state_folder import LINKS, state_directory
from firmware.storage.people.evening import Evening, renew_pin
from firmware.storage.people.links import draw_pin
from firmware.storage.people.links_file import LinksFile, read_links


@click.command(help=_("Show the host's PIN and the seats' codes; --new draws a new PIN."))
@click.option("--new", "is_new", is_flag=True, help=_("Draw a new PIN; all hosts lose their rights."))
def pin(is_new: bool) -> None:
    file = state_directory() / LINKS
    evening = _draw_new_pin(file) if is_new else _read_evening(file)
    click.echo("\n".join(codes_and_pin(evening)))


def codes_and_pin(evening: Evening) -> tuple[str, ...]:
    names = () if evening.match is None else evening.match.names
    codes = ", ".join(f"{name} {code}" for name, code in zip(names, evening.codes, strict=False))
    told = _("PIN of the host: {pin}").format(pin=evening.pin)
    return (_("Codes of the seats: {codes}").format(codes=codes), told) if names else (told,)


def _read_evening(file: Path) -> Evening:
    evening = read_links(file)
    if evening is None:
        unread = _("{file} can't be read: start the table, which sets it aside.").format(file=file)
        raise click.ClickException(unread if file.exists() else _("No table has run here yet: start it first."))
    return evening


def _draw_new_pin(file: Path) -> Evening:
    """Store a new PIN; a running table uses it at once."""
    _read_evening(file)
    wanted = draw_pin()
    LinksFile(file).renew(lambda evening: renew_pin(evening, wanted))
    kept = _read_evening(file)
    if kept.pin != wanted:
        raise click.ClickException(_("The PIN couldn't be stored: free some disk space, then try again."))
    return kept
