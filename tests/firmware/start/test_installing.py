"""./run on a Raspberry Pi, with stubs for what it calls."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.conftest import put_programs

ROOT = Path(__file__).parents[3]
PARTS = (".ci/environment", ".ci/raspberry")


class Shell:
    """A checkout with stubs on its PATH; what they are called with is noted."""

    def __init__(self, folder: Path) -> None:
        self.root, self.stubs, self.notes = folder / "checkout", folder / "stubs", folder / "notes"
        (self.root / ".ci").mkdir(parents=True)
        self.stubs.mkdir()
        self.notes.touch()
        for part in PARTS:
            shutil.copy(ROOT / part, self.root / part)
        self.model = folder / "model"
        self.model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")

    def stub(self, file: Path, body: str = "") -> None:
        put_programs(file.parent, {file.name: f'echo "{file.name} $*" >>"{self.notes}"\n{body}'})

    def run(self, script: str, **environ: str) -> subprocess.CompletedProcess[str]:
        ours = {"COYOTE_MODEL": str(self.model), "GIT_CONFIG_GLOBAL": "/dev/null"}
        said = {**os.environ, **ours, **environ, "PATH": f"{self.stubs}:{os.environ['PATH']}"}
        whole = ["/bin/sh", "-c", f'set -eu\nroot="{self.root}"\n. "$root/.ci/environment"\n{script}']
        return subprocess.run(
            whole, check=False, env=said, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    def stub_calls(self, *names: str) -> list[str]:
        lines = self.notes.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith(names or "")]


STUBS = {
    "dpkg": 'case "$2" in python3-venv) echo "Status: install ok installed" ;; *) exit 1 ;; esac',
    "id": 'case "$1" in -u) echo 1000 ;; -un) echo ana ;; -nG) echo "ana video" ;; esac',
    "sudo": '"$@"',
    **dict.fromkeys(("getent", "apt-get", "usermod"), ""),
}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    for name, body in STUBS.items():
        shell.stub(shell.stubs / name, body)
    return shell


def test_a_pi_gets_its_packages_and_groups_once_its_owner_agrees(shell: Shell) -> None:
    done = shell.run("prepare_raspberry", COYOTE_YES="y")
    assert done.returncode == 0, done.stderr
    (installed,) = shell.stub_calls("apt-get install")
    assert "--no-install-recommends python3-picamera2 python3-lgpio python3-gpiozero" in installed
    assert "python3-venv" not in installed
    assert shell.stub_calls("usermod") == ["usermod -aG gpio ana"]


def test_without_a_terminal_no_question_is_asked_and_a_no_is_remembered(shell: Shell) -> None:
    done = shell.run("prepare_raspberry")
    assert done.returncode == 0
    assert "Start ./run in a terminal" in done.stderr
    for said in ("n", "y"):
        assert shell.run("prepare_raspberry", COYOTE_YES=said).returncode == 0
    assert not shell.stub_calls("apt-get", "usermod", "sudo")


def test_elsewhere_nothing_of_this_happens(shell: Shell) -> None:
    shell.model.write_bytes(b"A laptop\0")
    assert shell.run("is_raspberry").returncode != 0
    shell.model.unlink()
    assert shell.run("is_raspberry").returncode != 0


@pytest.mark.parametrize("fits", [True, False])
def test_a_simplejpeg_for_another_numpy_is_fetched_anew(shell: Shell, fits: bool) -> None:
    python = shell.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    mended = shell.root / "mended"
    body = f"""case "$*" in
    *pip*) touch "{mended}" ;;
    *) [ -e "{mended}" ] || {str(fits).lower()} || {{ echo "numpy.dtype size changed" >&2; exit 1; }} ;;
    esac"""
    shell.stub(python, body)
    done = shell.run("agree_with_numpy")
    assert done.returncode == 0, done.stderr
    assert mended.exists() != fits
    assert any("--require-hashes" in line and "raspberry.lock" in line for line in shell.stub_calls()) != fits


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("", "run"), ("--port 8123", "run --port 8123"), ("--help", "--help"), ("rules coup", "rules coup")],
)
def test_options_alone_are_meant_for_the_table(tmp_path: Path, typed: str, meant: str) -> None:
    shutil.copy(ROOT / "run", tmp_path / "run")
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "environment").write_text('environment() { venv="$root"; }\n', encoding="utf-8")
    put_programs(tmp_path / "bin", {"coyote": 'echo "$*"'})
    done = subprocess.run([str(tmp_path / "run"), *typed.split()], capture_output=True, text=True, check=True)
    assert done.stdout == f"{meant}\n"
