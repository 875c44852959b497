"""Which packages for camera and pins are used: the system's, or the environment's own; and why."""

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from msgspec import Struct

Source = Literal["none", "system", "environment"]

NEEDED = ("picamera2", "lgpio")
"""What a Raspberry Pi needs; `pyproject.toml` names it as the extra `pi`."""


class PiPackage(Struct, frozen=True):
    """A package as Python would import it."""

    name: str
    source: Source
    version: str = ""
    place: str = ""


def pi_packages(prefix: Path | None = None) -> tuple[PiPackage, ...]:
    """Find each package: what lies in the environment comes before what lies in the system."""
    return tuple(_find_package(name, prefix or Path(sys.prefix)) for name in NEEDED)


def _find_package(name: str, prefix: Path) -> PiPackage:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return PiPackage(name, "none")
    place = Path(spec.origin).resolve()
    is_own = place.is_relative_to(prefix.resolve())
    folder = place.parent.parent if place.name == "__init__.py" else place.parent
    return PiPackage(name, "environment" if is_own else "system", _version(name), str(folder))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"
