"""Which packages for camera and pins are used is said, and why: the system's, or the environment's own."""

import sys
from pathlib import Path

import pytest

from firmware.start import doctor, pi_packages


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an environment that sees a system's packages."""
    places = [tmp_path / "venv/lib", tmp_path / "usr/lib"]
    for place in places:
        place.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(place) for place in places])
    for name in pi_packages.NEEDED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def _install(folder: Path, name: str, version: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    about = folder / f"{name}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )


def test_the_systems_packages_are_used_where_the_environment_has_none(environment: Path) -> None:
    _install(environment / "usr/lib", "picamera2", "0.3.31")
    (environment / "usr/lib/lgpio.py").touch()
    camera, pins = pi_packages.pi_packages(environment / "venv")
    assert (camera.source, camera.version, camera.place) == ("system", "0.3.31", str(environment / "usr/lib"))
    assert (pins.source, pins.version, pins.place) == ("system", "?", str(environment / "usr/lib"))
    well, _pins = doctor.of_the_pi((camera, pins))
    assert well.state == "well"
    assert well.told.startswith(f"picamera2 0.3.31 of the system ({environment}/usr/lib), as this")


def test_the_environments_own_come_first(environment: Path) -> None:
    _install(environment / "usr/lib", "picamera2", "0.3.31")
    _install(environment / "venv/lib", "picamera2", "0.3.38")
    camera, pins = pi_packages.pi_packages(environment / "venv")
    assert (camera.source, camera.version) == ("environment", "0.3.38")
    assert pins.source == "none"
    well, trouble = doctor.of_the_pi((camera, pins))
    assert "0.3.38 of this environment" in well.told
    assert (trouble.state, trouble.told) == (
        "trouble",
        "lgpio isn't installed, neither in the system nor in this environment",
    )
    assert trouble.remedy
