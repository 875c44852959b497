"""`coyote doctor`: check all parts of a table. Prints a line for each finding, with a remedy for a fault."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

import click
import msgspec

from firmware.board.inputs.usb_buttons import InputDevices
from firmware.cli.output import FILE
from firmware.language.catalogues import languages
from firmware.language.speaking import _, problem_text, say
from firmware.services.checks import Finding, Here, look_at, see, well, wrong, wrong_by
from firmware.start.board_checks import board_findings, usb_findings
from firmware.start.camera_checks import camera_findings, lost_frames
from firmware.start.report import Draft, reporting
from firmware.start.safe_start import misplaced, spoilt, unused_sentences
from firmware.state_folder import CHOSEN, JOURNAL, configuration_path, state_directory
from firmware.storage import configuration as config
from firmware.storage.wired_board import KEPT_BUTTONS

REPORT = Path("coyote-report.json")


@click.command(
    help=_("""Check everything: camera, markers, buttons, lamps, sound, disk, clock, packages, power.

    Prints a line for each finding, with a remedy for each fault, and exits with 1 if there is a fault. A part
    that a laptop doesn't have is listed as absent. At a terminal, you test buttons and lamps one by one.

    --report also writes a file for the developers with facts that only a real Raspberry Pi provides, and with
    your answers. It names no person, place, network or computer.""")
)
@click.option("--board", "profile", metavar="PROFILE", help=_("The board, if not the usual one."))
@click.option("--camera", help=_("The camera, if not the usual one."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object."))
@click.option("--report", "is_report", is_flag=True, help=_("Also write a report."))
@click.option(
    "-o",
    "--output",
    "file",
    type=FILE,
    default=REPORT,
    metavar="FILE",
    help=_("Where to write the report, instead of {file} here.").format(file=REPORT),
)
@click.pass_context
def doctor(
    context: click.Context,
    /,
    profile: str | None,
    camera: str | None,
    file: Path,
    *,
    as_json: bool,
    is_report: bool,
) -> None:
    draft = Draft(is_wanted=is_report, is_alone=as_json or not sys.stdin.isatty())
    with reporting(file, draft) if is_report else nullcontext():
        for finding in _all_findings(profile, camera, draft):
            draft.found.append(finding)
            if not as_json:
                click.echo(finding.line())
    if as_json:
        rows = [finding.row() for finding in draft.found]
        click.echo(msgspec.json.encode({"findings": rows}).decode())
    if any(finding.state == "trouble" for finding in draft.found):
        context.exit(1)


def _all_findings(profile: str | None, camera: str | None, draft: Draft) -> Iterator[Finding]:
    """Run all checks: of the configuration, the computer, the stored files, the camera and the board."""
    here, configured = _read_settings(configuration_path(), state_directory())
    yield from configured
    yield from look_at(here)
    for part, look in (
        ("folder", lambda: _files_to_set_aside(here)),
        ("camera", lambda: camera_findings(camera, here, draft)),
        ("camera", lost_frames),
        ("board", lambda: board_findings(profile, here, draft)),
        ("usb", lambda: usb_findings(KEPT_BUTTONS.read(here.state), InputDevices())),
    ):
        yield from see(part, look)


def _files_to_set_aside(here: Here) -> Iterator[Finding]:
    remedy = say("start the table, which sets it aside")
    for _path, message in chain(misplaced(here.state, here.journal), spoilt(here.state)):
        yield wrong(message, remedy)


def _read_settings(file: Path, state: Path) -> tuple[Here, tuple[Finding, ...]]:
    settings, part = config.TableSettings(), "configuration"
    found = tuple(wrong_by(sentence, part) for sentence in unused_sentences(file, state))
    try:
        # an ignored configuration is read, too, to report its faulty line
        written = config.settings_in(file) if config.may_read(file) else settings
        usual = settings if found else written
        settings = config.merge_choice(usual, config.read_choice(state), str(state / CHOSEN), languages())
    except config.SettingsError as error:
        remedy = say("correct that line")
        found = tuple(wrong(problem_text(mistake), remedy, part) for mistake in error.mistakes)
    place = str(file) if file.exists() else say("the defaults")
    return Here(state, state / JOURNAL, settings), found or (well(place, part),)
