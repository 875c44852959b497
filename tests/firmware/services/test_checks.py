"""The list of checks: faults have a remedy, and absent parts aren't listed."""

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pytest
from click import Abort, ClickException

from firmware.board.outputs.loudspeakers import Kind, Loudspeaker, UsedLoudspeaker
from firmware.services import addresses, checks
from firmware.services.checks import ONCE_WEAK, WEAK, Finding, Here, SupplyWatch, degrees, see, throttle_flags
from firmware.state_folder import FORM
from firmware.storage.state_copies import keep_form


def below(root: Path) -> Here:
    return Here(root / "state", root / "state" / "journal.sqlite3", root=root)


def write(root: Path, name: str, content: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(content, encoding="ascii")


@pytest.mark.parametrize(
    ("finding", "state"),
    [
        (checks.dated(datetime(1970, 1, 1, tzinfo=UTC)), "trouble"),
        (checks.dated(datetime(2030, 5, 6, 19, 30, tzinfo=UTC)), "well"),
        (checks.warmth(85.0), "trouble"),
        (checks.warmth(50.0), "well"),
        (checks.supply(0x1), "trouble"),
        (checks.supply(0x50000), "trouble"),
        (checks.supply(0x20000), "well"),
    ],
)
def test_clock_warmth_and_supply(finding: Finding, state: str) -> None:
    assert (finding.state, bool(finding.remedy)) == (state, state == "trouble")


@pytest.mark.parametrize(
    ("port", "told"), [(8000, "http://10.0.0.5:8000/"), (None, "10.0.0.5; no table answers on port 80 or 8000")]
)
def test_network_names_only_a_port_that_answers(
    monkeypatch: pytest.MonkeyPatch, port: int | None, told: str
) -> None:
    monkeypatch.setattr(checks, "table_port", lambda: port)
    monkeypatch.setattr(addresses, "_routed_address", lambda *_route: "10.0.0.5")
    assert str(checks.network(below(Path())).told) == told


def test_package_that_fails_to_load_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_import_trouble", lambda name: "it has changed" * (name == "simplejpeg"))
    opencv, other = (checks.numpys_package(name, below(Path())) for name in checks.WITH_NUMPY)
    assert opencv is not None
    assert other is not None
    assert (opencv.state, other.state, str(other.told)) == ("well", "trouble", "simplejpeg: it has changed")


def test_unwritable_folder_has_remedy_for_its_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = below(tmp_path)
    here.state.mkdir(mode=0o700)
    monkeypatch.setattr(checks.os, "access", lambda *_asked: False)
    assert "sudo chown -R" in str(checks.disk(here).remedy)
    here.state.chmod(0o555)
    found = checks.disk(here)
    here.state.chmod(0o700)
    assert f"chmod u+rwX {here.state}" in str(found.remedy)


def _used(kind: Kind, *, is_chosen: bool = False) -> UsedLoudspeaker:
    return UsedLoudspeaker(Loudspeaker("card", "Its name", kind), "device", is_chosen)


@pytest.mark.parametrize(
    ("used", "is_wanted", "state"),
    [
        (None, True, "trouble"),
        (None, False, "absent"),
        (_used("usb"), True, "well"),
        (_used("screen"), True, "well"),
        (_used("socket"), True, "absent"),
        (_used("socket", is_chosen=True), True, "well"),
    ],
)
def test_audible_loudspeaker_is_required_unless_silent(
    used: UsedLoudspeaker | None, state: str, monkeypatch: pytest.MonkeyPatch, *, is_wanted: bool
) -> None:
    monkeypatch.setattr(checks, "espeak_trouble", lambda: None)
    found = checks.heard(used, is_wanted=is_wanted)
    assert found.state == state
    assert ("Its name" in str(found.told)) == (used is not None)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (PermissionError(13, "Permission denied", "/state"), "/state: Permission denied"),
        (ClickException("there is no profile x"), "there is no profile x"),
        (RuntimeError("nothing\nforesaw this"), "nothing foresaw this"),
    ],
)
def test_any_fault_of_a_part_is_one_line(error: Exception, expected: str) -> None:
    (finding,) = see("board", Mock(side_effect=error))
    assert (finding.part, finding.state, str(finding.told)) == ("board", "trouble", expected)
    assert finding.remedy


def test_ctrl_c_ends_questions() -> None:
    with pytest.raises(Abort):
        list(see("board", Mock(side_effect=Abort)))


def test_newer_journal_or_state_is_a_problem(tmp_path: Path) -> None:
    here = below(tmp_path)
    here.state.mkdir()
    assert checks.journal(here).state == "absent"
    with closing(sqlite3.connect(here.journal)) as newer:
        newer.executescript("CREATE TABLE of_tomorrow (it); PRAGMA user_version = 768")
    assert checks.journal(here).state == "trouble"
    keep_form(here.state, FORM + 1)
    found = checks.folder(here)
    assert (found.state, str(found.remedy)) == ("trouble", "coyote table restore FILE")


def _install(folder: Path, name: str, version: str) -> None:
    about = folder / f"{name}-{version}.dist-info"
    for place in (folder / name, about):
        place.mkdir()
    (folder / name / "__init__.py").touch()
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(said, encoding="utf-8")


def test_environment_packages_precede_system_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, system = (tmp_path / "venv/lib", tmp_path / "usr/lib")
    for place in (own, system):
        place.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(own), str(system)])
    for name in checks.NEEDED:
        monkeypatch.delitem(sys.modules, name, raising=False)

    def used_packages() -> list[str]:
        found = (checks.pis_package(name, below(tmp_path), tmp_path / "venv") for name in checks.NEEDED)
        return [str(each.told) for each in found if each is not None]

    _install(system, "picamera2", "0.3.31")
    assert used_packages() == [
        f"picamera2 0.3.31 from the system ({system}), because this environment has none",
        "lgpio isn't installed, neither in the system nor in this environment",
    ]
    (system / "lgpio.py").touch()
    _install(own, "picamera2", "0.3.38")
    assert used_packages() == [
        f"picamera2 0.3.38 from this environment ({own}), which is used before the system's",
        f"lgpio ? from the system ({system}), because this environment has none",
    ]


def test_kernel_without_memory_control_has_remedy(tmp_path: Path) -> None:
    here, controllers = below(tmp_path), "sys/fs/cgroup/cgroup.controllers"
    assert checks.bounds(here).state == "absent"
    write(tmp_path, controllers, "cpuset cpu io pids\n")
    found = checks.bounds(here)
    assert (found.state, "cgroup_enable=memory" in str(found.remedy)) == ("trouble", True)
    write(tmp_path, controllers, "cpuset cpu io memory pids\n")
    assert checks.bounds(here).state == "well"


@pytest.mark.parametrize(
    ("kind", "soft", "hard", "state", "has_remedy"),
    [
        ("wlan", "0", "0", "well", False),
        ("wlan", "1", "0", "absent", True),
        ("wlan", "0", "1", "absent", True),
        ("bluetooth", "1", "0", "absent", False),
    ],
)
def test_disabled_radio_has_remedy(
    kind: str, soft: str, hard: str, state: str, tmp_path: Path, *, has_remedy: bool
) -> None:
    for name, text in (("type", kind), ("soft", soft), ("hard", hard)):
        write(tmp_path, f"sys/class/rfkill/rfkill3/{name}", f"{text}\n")
    found = checks.radio(below(tmp_path))
    assert (found.state, bool(found.remedy)) == (state, has_remedy)


def test_gpio_chip_is_the_one_gpiozero_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(number: int) -> Finding:
        write(tmp_path, "proc/device-tree/model", f"Raspberry Pi {number} Model B")
        seen = checks.pins(below(tmp_path))
        assert seen is not None
        return seen

    assert checks.pins(below(tmp_path)) is None
    assert found(4).state == "trouble"
    for name in ("gpiochip0", "gpiochip4"):
        write(tmp_path, f"dev/{name}", "")
    assert str(found(4).told).endswith("gpiochip0")
    assert str(found(5).told).endswith("gpiochip4")
    monkeypatch.setattr("os.access", lambda *_asked: False)
    assert (found(4).state, "gpio" in str(found(4).remedy)) == ("trouble", True)


def watch_reports(*looks: tuple[int, float]) -> list[list[tuple[str, bool]]]:
    """Return the troubles that each check reports, and whether they have begun or are over."""
    told, seen = list[tuple[str, bool]](), iter(((0, 50.0), *looks))
    now = next(seen)
    watch = SupplyWatch(
        lambda name, notice: told.append((name, notice is not None)), lambda: now[0], lambda: now[1]
    )
    all_told = []
    for now in seen:  # noqa: B007 - the watch reads it
        told.clear()
        watch.look()
        all_told.append([*told])
    return all_told


def test_undervoltage_and_heat_are_reported_while_they_last() -> None:
    weak = WEAK | ONCE_WEAK
    assert watch_reports((0, 79.0), (weak, 79.0), (weak, 81.2), (ONCE_WEAK, 78.0), (ONCE_WEAK, 74.0)) == [
        [],
        [("weak supply", True)],
        [("too hot", True)],
        [("weak supply", False)],
        [("too hot", False)],
    ]
    # a dip between two checks is reported once, too
    assert watch_reports((ONCE_WEAK, 0.0), (ONCE_WEAK, 0.0)) == [
        [("weak supply", True)],
        [("weak supply", False)],
    ]


def test_checks_continue_while_table_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.services.checks.WATCH_INTERVAL", 0.001)
    seen = Event()
    watch = SupplyWatch(lambda *_news: seen.set(), lambda: WEAK, lambda: None)
    watch.begin()
    assert seen.wait(60)
    watch.close()


def test_computer_without_pi_firmware_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert (throttle_flags(), degrees(Path("/nowhere"))) == (None, None)
