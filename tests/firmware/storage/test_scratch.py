"""The folder for what needn't survive: held while its table lives, removed by the next one after a kill."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.storage import scratch

HOLDER = """
import sys
from pathlib import Path
from firmware.storage import scratch
scratch.MEMORY = Path(sys.argv[1])
with scratch.scratch() as folder:
    (folder / "camera.bmp").touch()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scratch, "MEMORY", tmp_path)
    return tmp_path


def holder(memory: Path) -> tuple["subprocess.Popen[str]", Path]:
    command = [sys.executable, "-c", HOLDER, str(memory)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_it_is_gone_at_the_end(memory: Path) -> None:
    with scratch.scratch() as folder:
        (folder / "deck").mkdir()
        assert folder.parent == memory
        assert folder.stat().st_mode & 0o077 == 0
    assert list(memory.iterdir()) == []


def test_what_a_killed_table_left_is_removed_and_what_a_living_one_has_is_not(memory: Path) -> None:
    (killed, left), (living, held) = holder(memory), holder(memory)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert (left / "camera.bmp").exists()
    with scratch.scratch() as folder:
        assert sorted(memory.iterdir()) == sorted([held, folder])
        assert (held / "camera.bmp").exists()
    living.communicate("")
    assert list(memory.iterdir()) == []


def test_other_peoples_files_stay(memory: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "kept").touch()
    (memory / f"{scratch.PREFIX}link").symlink_to(elsewhere)
    (memory / f"{scratch.PREFIX}file").touch()
    (memory / "coyote").mkdir()
    with scratch.scratch():
        pass
    assert (elsewhere / "kept").exists()
    assert sorted(file.name for file in memory.iterdir()) == sorted(
        ["coyote", f"{scratch.PREFIX}file", f"{scratch.PREFIX}link"]
    )


def test_a_folder_that_was_taken_for_left_behind_is_made_anew(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = scratch.mkdtemp
    swept: list[str] = []

    def make_and_sweep(**where: object) -> str:
        folder: str = made(**where)  # type: ignore[call-overload]
        if not swept:
            swept.append(folder)
            Path(folder).rmdir()
        return folder

    monkeypatch.setattr(scratch, "mkdtemp", make_and_sweep)
    with scratch.scratch() as folder:
        assert str(folder) not in swept
        assert list(memory.iterdir()) == [folder]
