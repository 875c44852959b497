"""Which cameras look at the table: those that are wished for, then those that are configured; none twice."""

from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from firmware.start.eyes_at_start import (
    cameras_of,
    frames_of,
    same_camera_sentences,
    second_settings,
    simulated_lens,
)
from firmware.storage.configuration import CameraSettings
from tests.firmware.start.test_starting import NOTHING
from vision.process.clip_view import FilmedParts
from vision.process.messages import EyesSettings
from vision.table.calibration import Calibration

CONFIGURED = CameraSettings("usb:0", "usb:1")


def test_a_camera_that_is_wished_for_goes_before_one_that_is_configured() -> None:
    assert cameras_of(NOTHING, CameraSettings(), None) == ("pi", None)
    assert cameras_of(NOTHING, CONFIGURED, None) == ("usb:0", "usb:1")
    wished = replace(NOTHING, camera="pi", second_camera="pi:1")
    assert cameras_of(wished, CONFIGURED, None) == ("pi", "pi:1")


def test_cameras_of_the_twin_show_what_is_drawn_and_a_second_one_if_one_is_named(
    tmp_path: Path,
) -> None:
    camera, second = cameras_of(NOTHING, CONFIGURED, tmp_path)
    assert second is not None
    assert {frames_of(camera).parent, frames_of(second).parent} == {tmp_path}
    assert camera != second
    assert cameras_of(NOTHING, CameraSettings(), tmp_path) == (camera, None)
    with pytest.raises(click.UsageError, match="name one of opposite"):
        simulated_lens(replace(NOTHING, second_camera="usb:1"))


def test_one_camera_named_twice_is_told_and_looks_alone() -> None:
    (told,) = same_camera_sentences("usb:0", "/dev/video0")
    assert told.startswith("/dev/video0 is the first camera")
    assert same_camera_sentences("usb:0", "usb:1") == same_camera_sentences("pi", None) == ()


def test_a_second_camera_reads_cards_alone_at_a_table_that_it_finds_by_itself() -> None:
    table = Calibration(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (9, 9), (1, 1, 1), 1.0, {})
    first = EyesSettings(
        "pi", "deck", {"8": 1}, table, ("coins",), "empty.png", filmed=FilmedParts(("centre",))
    )
    first = replace(first, evidence="kept")
    second = second_settings(first, "usb:1")
    kept = second.camera, second.deck, second.among, second.evidence
    assert kept == ("usb:1", "deck", {"8": 1}, "kept")
    assert (second.table, second.pieces, second.empty, second.filmed) == (None, (), "", None)
    assert second.resting
    assert second.is_second
