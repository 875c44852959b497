"""./run on a Raspberry Pi, with stubs for the called programs."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware.conftest import put_programs

ROOT = Path(__file__).parents[3]
PARTS = (".ci/environment", ".ci/packages", ".ci/raspberry")


class Shell:
    """A checkout with stubs on its PATH that record their calls."""

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

    def start(self, script: str, **environ: str) -> subprocess.Popen[str]:
        ours = {"COYOTE_MODEL": str(self.model), "GIT_CONFIG_GLOBAL": "/dev/null"}
        said = {**os.environ, **ours, **environ, "PATH": f"{self.stubs}:{os.environ['PATH']}"}
        whole = ["/bin/sh", "-c", f'set -eu\nroot="{self.root}"\n. "$root/.ci/environment"\n{script}']
        pipe = subprocess.PIPE
        return subprocess.Popen(whole, env=said, stdout=pipe, stderr=pipe, text=True, stdin=subprocess.DEVNULL)

    def run(self, script: str, **environ: str) -> subprocess.CompletedProcess[str]:
        with self.start(script, **environ) as started:
            out, err = started.communicate()
        return subprocess.CompletedProcess(started.args, started.returncode, out, err)

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


def test_pi_gets_packages_and_groups_with_consent(shell: Shell) -> None:
    done = shell.run("prepare_raspberry", COYOTE_YES="y")
    assert done.returncode == 0, done.stderr
    (installed,) = shell.stub_calls("apt-get install")
    assert "--no-install-recommends python3-picamera2 python3-lgpio python3-gpiozero" in installed
    assert "python3-venv" not in installed
    assert shell.stub_calls("usermod") == ["usermod -aG gpio ana"]


def test_no_question_without_terminal_and_refusal_is_remembered(shell: Shell) -> None:
    done = shell.run("prepare_raspberry")
    assert done.returncode == 0
    assert "Start ./run in a terminal" in done.stderr
    for said in ("n", "y"):
        assert shell.run("prepare_raspberry", COYOTE_YES=said).returncode == 0
    assert not shell.stub_calls("apt-get", "usermod", "sudo")


def test_other_computers_skip_pi_setup(shell: Shell) -> None:
    shell.model.write_bytes(b"A laptop\0")
    assert shell.run("is_raspberry").returncode != 0
    shell.model.unlink()
    assert shell.run("is_raspberry").returncode != 0


@pytest.mark.parametrize("fits", [True, False])
def test_simplejpeg_for_other_numpy_is_reinstalled(shell: Shell, fits: bool) -> None:
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


def test_chosen_python_has_its_own_environment(shell: Shell) -> None:
    own = f".venv-{sys.version_info.major}.{sys.version_info.minor}"
    for environ, name in (({}, ".venv"), ({"PYTHON": sys.executable}, own)):
        assert shell.run('echo "$venv"', **environ).stdout == f"{shell.root / name}\n"
    done = shell.run("", PYTHON="python2.7")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "PYTHON=python2.7" in done.stderr


def test_two_commands_at_once_create_one_environment(shell: Shell) -> None:
    """The second waits for the lock, then uses the first one's environment."""
    shell.model.unlink()
    for name in ("pyproject.toml", "some.lock"):
        (shell.root / name).write_text(name, encoding="utf-8")
    with (shell.root / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with shell.start("environment some.lock", PYTHON="") as second:
            assert second.stderr is not None
            assert "Waiting for another ./run or ./test" in second.stderr.readline()
            shell.stub(shell.root / ".venv" / "bin" / "python")
            shell.run(MARK_COMPLETE)
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.communicate() == ("", "")
    assert second.returncode == 0
    assert not any("install" in call for call in shell.stub_calls())


MARK_COMPLETE = """
find_python
(cd "$root" && cksum <pyproject.toml >.venv/.made-of-firmware)
printf '%s' "$("$python" --version; cksum <"$root/some.lock")" >"$venv/.made-of-some.lock"
"""
"""File that the first command leaves when its installation is complete."""


def put_run(folder: Path, coyote: str) -> None:
    """Copy ./run into a folder where this shell script is the program."""
    shutil.copy(ROOT / "run", folder / "run")
    (folder / ".ci").mkdir()
    (folder / ".ci" / "environment").write_text('environment() { venv="$root"; }\n', encoding="utf-8")
    put_programs(folder / "bin", {"coyote": coyote})


@pytest.mark.parametrize(
    ("typed", "meant"), [("--port 8123", "run --port 8123"), ("--help", "--help"), ("rules coup", "rules coup")]
)
def test_options_without_command_go_to_the_table(tmp_path: Path, typed: str, meant: str) -> None:
    put_run(tmp_path, 'echo "$*"')
    done = subprocess.run([str(tmp_path / "run"), *typed.split()], capture_output=True, text=True, check=True)
    assert done.stdout == f"{meant}\n"


def test_interrupt_waits_until_the_program_handles_it(tmp_path: Path) -> None:
    put_run(tmp_path, "")
    blocked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    # not a shell script, because a shell unblocks all signals
    (tmp_path / "bin" / "coyote").write_text(f"#!{sys.executable}\n{blocked}\n", encoding="utf-8")
    done = subprocess.run([str(tmp_path / "run")], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
