"""Packages of others that the cards are made of: fetched once by npm, at one version each."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

from msgspec import Struct


class Package(Struct, frozen=True):
    """A package at npm: what it is called there, whose it is, and on what terms."""

    name: str
    version: str
    licence: str
    authors: str
    gives: str

    @property
    def slug(self) -> str:
        return self.name.strip("@").replace("/", "-")


SVG_CARDS = Package(
    "svg-cards", "4.0.2", "LGPL-2.1", "David Bellot, Huub de Beer and others", "52 playing cards"
)
STANDARD_DECK = Package(
    "@younestouati/playing-cards-standard-deck",
    "3.0.0",
    "LGPL-3.0",
    "Chris Aguilar, Byron Knoll, Mike Hall, Warren Lockhart, Younes Touati",
    "52 playing cards",
)
LUCIDE = Package("lucide-static", "1.62.0", "ISC", "Lucide Icons and contributors", "outline icons, and words")
GAME_ICONS = Package(
    "@iconify-json/game-icons",
    "1.2.4",
    "CC-BY-3.0",
    "Lorc, Delapouite and contributors (game-icons.net)",
    "figures",
)
ALFA_SLAB = Package(
    "@fontsource/alfa-slab-one", "5.3.0", "OFL-1.1", "The Alfa Slab One Project Authors", "fat digits"
)
LORA = Package("@fontsource/lora", "5.3.0", "OFL-1.1", "The Lora Project Authors", "letters of paragraphs")
PACKAGES = (SVG_CARDS, STANDARD_DECK, LUCIDE, GAME_ICONS, ALFA_SLAB, LORA)


def fetch_package(package: Package, folder: Path) -> Path:
    """Fetch a package into a folder, unless it is there; give where its files lie."""
    home = folder / f"{package.slug}-{package.version}"
    if not (home / "package" / "package.json").exists():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("The cards are made of packages at npm: install npm, then try again.")
        asked = [npm, "pack", "--silent", f"{package.name}@{package.version}"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
        with tarfile.open(folder / done.stdout.split()[-1]) as packed:
            packed.extractall(home, filter="data")
    return home / "package"


def stated_licence(home: Path) -> str:
    return str(json.loads((home / "package.json").read_text(encoding="utf-8"))["license"])


LICENCES = Path(__file__).parent / "licences"


def keep_licence(package: Package, home: Path) -> None:
    """Keep the licence's text that a package brings; those of few words bring none."""
    LICENCES.mkdir(exist_ok=True)
    for name in ("LICENSE", "license.txt"):
        if (home / name).exists():
            shutil.copyfile(home / name, LICENCES / f"{package.slug}.txt")
