"""Evidence on the disk: what isn't a file there keeps no page waiting."""

import os
from pathlib import Path

from firmware.start.pages.evidence_door import EvidenceFiles
from tests.webui.room import FakeStatus


def test_a_pipe_in_the_place_of_a_record_or_a_picture_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "1.000002.jpg").write_bytes(b"a picture")
    os.mkfifo(tmp_path / "1.000002.json")
    os.mkfifo(tmp_path / "1.000003.jpg")
    files = EvidenceFiles(tmp_path, lambda: FakeStatus(id=1))
    assert files.photographed_answers() == frozenset()
    assert files.cards(1) is None
    assert files.picture(1) == b"a picture"
    assert files.picture(2) is None
