"""Games in a separate environment: packages and entry points, as written by an installer."""

import os
import shutil
import sys
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from msgspec import Struct

from firmware.start.games import GROUP, _hand_in
from referee.contract import Game
from tests.plugins.forks import CommandResult, Forks

ROOT = Path(__file__).parents[2]
FORKS = Forks(ROOT)
PLUGINS = ROOT / "plugins"
EXAMPLE = PLUGINS / "high-card"
PROGRAM = "import sys; sys.argv = ['coyote', *sys.argv[1:]]; from coyote_table import main; main()"
OUR_GAMES = sorted(path.parent.name for path in PLUGINS.glob("*/README.md") if path.parent.name != "club")
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n"


class Environment(Struct, frozen=True):
    """The folders of installed games and of stored data."""

    folder: Path

    @property
    def site(self) -> Path:
        return self.folder / "site"

    def install(self, name: str, value: str, package: Path | None = None) -> None:
        """Install a game: its package, if any, and its entry point."""
        if package is not None:
            shutil.copytree(package, self.site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        info = self.info(name)
        info.mkdir(parents=True)
        (info / "METADATA").write_text(METADATA.format(name=name))
        (info / "entry_points.txt").write_text(f"[coyote.games]\n{name} = {value}\n")

    def uninstall(self, name: str) -> None:
        for file in self.info(name).iterdir():
            file.unlink()
        self.info(name).rmdir()

    def info(self, name: str) -> Path:
        """Return the folder of a package's metadata."""
        return self.site / f"{name.replace('-', '_')}-0.1.0.dist-info"

    def environ(self) -> dict[str, str]:
        own = {"PYTHONPATH": f"{self.site}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1", "LANGUAGE": "en"}
        kept = {"COYOTE_JOURNAL": str(self.folder / "journal.db"), "HOME": str(self.folder)}
        return {**os.environ, **own, **kept}

    def run(self, *arguments: str, typed: str = "", **environ: str) -> CommandResult:
        """Run a command, with typed input and additional environment variables."""
        return FORKS.run(arguments, self.folder, {**self.environ(), **environ}, typed)


def with_game(folder: Path, name: str) -> Environment:
    environment, module = Environment(folder), name.replace("-", "_")
    environment.install(name, f"{module}:GAME", PLUGINS / name / module)
    return environment


def install_our_games(folder: Path) -> Path:
    """Install our plug-ins for this process and those that it starts; return the folder of their packages."""
    for name in OUR_GAMES:
        site = with_game(folder, name).site
    sys.path.insert(0, str(site))
    os.environ["PYTHONPATH"] = f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    ours = (point for point in entry_points(group=GROUP) if point.name in OUR_GAMES)
    assert list(_hand_in(ours)) == []
    return site


def game_of(name: str) -> Game:
    """Load one of our own plug-ins without installing it."""
    if str(PLUGINS / name) not in sys.path:
        sys.path.append(str(PLUGINS / name))
    game = import_module(name.replace("-", "_")).GAME
    assert isinstance(game, Game)
    return game
