"""Checks of `coyote doctor` for the camera: its picture, its lens, the corner markers, lost frames."""

import re
from collections.abc import Iterator

from firmware.cli.cameras import CENTIMETRE, height_text, open_as_configured, take_picture
from firmware.language.speaking import problem_sentence, problem_text, say
from firmware.services.checks import Finding, Here, absent, labelled, well, within, wrong, wrong_by
from firmware.services.power import run_command
from firmware.start.report import Draft
from firmware.state_folder import FOUND_TABLE
from firmware.storage.cards_choice import CARDS_CHOICE
from firmware.storage.found_table import load_layout
from firmware.storage.wired_board import is_raspberry
from vision.pictures import Picture
from vision.table.calibration import calibrate
from vision.table.camera_names import PHONE, is_pi_camera, shown_name
from vision.table.framing import denied_by_size, frame_picture, lens_for, sight_problems, tell_move
from vision.table.optics import better_camera, heights
from vision.table.plates import Millimetres
from vision.table.values import Optics
from vision.troubles import Problem, TroubleError


def camera_findings(named: str | None, here: Here, draft: Draft) -> Iterator[Finding]:
    """Check the named camera, or the configured one."""
    settings = here.settings.camera
    camera = named or settings.name
    if named is None and is_simulated_here(here):
        draft.camera_trouble = "no Raspberry Pi"
        yield absent(say("no Raspberry Pi here: the table is simulated"))
        return
    if camera == PHONE:
        draft.camera_trouble = "not the Pi's own"
        yield absent(say("a browser sends the pictures while the table runs: look at the host's page"))
        return
    draft.look(camera, settings)
    try:
        picture, optics = take_picture(open_as_configured(camera, settings), camera)
    except TroubleError as error:
        yield wrong_by(problem_text(error.problem))
        return
    if picture is None:
        yield wrong_by(problem_text(Problem("over", {"camera": shown_name(camera)})))
        return
    yield well(f"{picture.shape[1]}x{picture.shape[0]}")
    apart = load_layout(here.state / FOUND_TABLE).apart or settings.apart
    if optics is not None:
        yield lens_finding(lens_for(optics, (picture.shape[1], picture.shape[0])), apart, picture)
    problems = sight_problems(picture, optics, apart)
    yield from (wrong_by(problem_text(problem), "markers") for problem in problems)
    if not problems:
        yield _marker_finding(picture, apart)


def is_simulated_here(here: Here) -> bool:
    """Return whether no real camera was chosen on a computer that simulates without a choice."""
    kind = CARDS_CHOICE.read(here.state).kind
    is_usual = kind is None and is_pi_camera(here.settings.camera.name)
    return not is_raspberry() and (kind == "simulated" or is_usual)


def _marker_finding(picture: Picture, apart: Millimetres) -> Finding:
    """Check how well the four corner markers fit their distances."""
    if seen := denied_by_size(picture, apart):
        (across, down), (wide, high) = map(round, seen), map(round, apart)
        message = say(
            "their centres are about {seen} mm apart, not {apart}",
            seen=f"{across} x {down}",
            apart=f"{wide} x {high}",
        )
        remedy = say("find the table on the host's page, or run: coyote table calibrate")
        return wrong(message, remedy, "markers")
    found = calibrate(picture, apart)
    residual = 0.0 if found is None else found.residual
    return well(say("all four found; they fit within {residual:.1f} mm", residual=residual), "markers")


def lens_finding(optics: Optics, apart: Millimetres, picture: Picture) -> Finding:
    """Check the camera's height above the table."""
    between = height_text(optics, apart)
    if heights(optics, apart) is None:
        better = better_camera(optics, apart)
        closer = say("lay the plates closer together")
        if better is not None:
            closer = say("use a {camera}, or lay the plates closer together", camera=better.name)
        return wrong(labelled(optics.name, between), closer, "lens")
    framing = frame_picture(picture, optics, apart)
    move = next((each for each in framing.moves if each.way in {"raise", "lower"}), None)
    if move is None or framing.pose is None:
        return well(say("{told} cm above the table", told=labelled(optics.name, between)), "lens")
    height = round(framing.pose.height / CENTIMETRE)
    message = say("{height} cm above the table instead of {between} cm", height=height, between=between)
    return wrong(labelled(optics.name, message), within(problem_sentence(tell_move(move))), "lens")


LOST_FRAME = r"frontend has timed out|Dequeue timer of|uvcvideo.*Non-zero status"
"""Log lines about a lost frame, by libcamera, and by the kernel for a USB camera."""
LOG_TIMEOUT = 20.0  # seconds for reading the system's log


def lost_frames() -> Iterator[Finding]:
    """Report frames lost since the computer started, as with a loose cable or one that is too long."""
    command = ["journalctl", "--boot", "--quiet", "--no-pager", "--output=cat", f"--grep={LOST_FRAME}"]
    if count := len(re.findall(LOST_FRAME, run_command(command, seconds=LOG_TIMEOUT).stdout)):
        message = say("frames lost since the computer started: {count} log lines", count=count)
        yield wrong(message, say("push the cable in at both ends; a flat one may be 50 cm long at most"))
