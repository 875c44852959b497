"""The built wheel: complete, and safe against foreign packages with the names of ours."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from referee.games.catalogue import GAMES
from tests.tiers import slow, tiered

ROOT = Path(__file__).parents[2]
pytestmark = slow("the wheel is built as it is released, once")
PROGRAM = "import sys; sys.argv = ['coyote', *sys.argv[1:]]; from coyote_table import main; main()"


@pytest.fixture(scope="module")
def wheel_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the files in git, and unpack it like an installer."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            target.write_bytes((ROOT / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=source, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def run_installed(wheel_folder: Path, folder: Path, *arguments: str, first: str = "") -> tuple[int, str, str]:
    path = ":".join(filter(None, (first, str(wheel_folder))))
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_wheel_contains_all_games(wheel_folder: Path, tmp_path: Path) -> None:
    code, told, wrong = run_installed(wheel_folder, tmp_path, "count", "gigamic", "20", "15")
    assert (code, wrong, "35" in told) == (0, "", True)
    code, told, wrong = run_installed(wheel_folder, tmp_path, "play", "--help")
    assert (code, wrong) == (0, "")
    assert all(game.words.title in told for game in GAMES.values())


def test_wheel_contains_page_and_print_assets(wheel_folder: Path) -> None:
    kinds = {path.suffix for path in wheel_folder.rglob("*") if path.is_file()}
    assert {".html", ".css", ".js", ".otf", ".woff2", ".po", ".toml", ".scad", ".service", ".sh"} <= kinds
    assert (wheel_folder / "webui" / "static" / "fonts" / "OFL.txt").is_file()
    assert (wheel_folder / "hardware" / "board" / "kicad" / "fab" / "coyote-F_Cu.gtl").is_file()
    scripts = {path.name for path in (wheel_folder / "hardware" / "systemd").glob("*.sh")}
    assert scripts == {"coyote-install.sh", "coyote-radio.sh", "coyote-skip-wizard.sh"}


@pytest.mark.parametrize(
    "room", tiered(("vision", "referee"), ("vision", "hardware", "webui", "firmware", "referee"))
)
def test_foreign_package_with_our_name_is_refused(wheel_folder: Path, tmp_path: Path, room: str) -> None:
    stranger = tmp_path / "elsewhere" / room
    stranger.mkdir(parents=True)
    (stranger / "__init__.py").write_text("raise SystemExit('a stranger ran')\n")
    code, told, wrong = run_installed(wheel_folder, tmp_path, "--version", first=str(stranger.parent))
    assert (code, told, wrong.count("\n")) == (1, "", 1)
    assert f"“{room}”" in wrong
