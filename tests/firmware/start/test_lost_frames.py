"""What the journal tells of lost frames is a finding with its cure; a journal that says nothing is none."""

from pathlib import Path

import pytest

from firmware.start.doctor import frame_findings
from tests.firmware.conftest import Coyote

TOLD = """
[0:01:02] ERROR V4L2 v4l2_videodevice.cpp:2093 /dev/video0[19:cap]: Dequeue timer of 1000000.00us has expired!
[0:01:02] ERROR RPI pipeline_base.cpp:1367 Camera frontend has timed out!
uvcvideo 1-1.2:1.1: Non-zero status (-71) in video completion handler.
"""


def journal(folder: Path, monkeypatch: pytest.MonkeyPatch, told: str, code: int = 0) -> None:
    program = folder / "journalctl"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{told}\nEND\nexit {code}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_lost_frames_are_told_with_their_cure(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal(tmp_path, monkeypatch, TOLD)
    said = coyote("doctor")
    assert said.code == 1
    told = "frames were lost since the computer started: 3 notes in the journal"
    assert f"! camera: {told} -> push its cable in at both ends; a flat one is 50 cm at most" in said.out


def test_a_journal_without_them_and_none_at_all_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal(tmp_path, monkeypatch, "-- No entries --", code=1)
    assert list(frame_findings()) == []
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert list(frame_findings()) == []
