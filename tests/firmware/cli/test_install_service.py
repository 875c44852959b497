"""`coyote table service`: the files and commands of a dry run."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from pwd import getpwnam, getpwuid, struct_passwd

import click
import pytest

from firmware import state_folder
from firmware.cli import install_service as service
from tests.firmware.cli.unit_exposure import CHECKOUT, measure_exposures
from tests.firmware.conftest import Coyote

MAX_EXPOSURE = 2.0  # upper limit; other versions of systemd score slightly differently
MAX_SCREEN_EXPOSURE = 2.6  # a browser creates its own namespaces, and draws
NEEDED = (
    *("Type=notify", "WatchdogSec=", "Restart=always", "StartLimitIntervalSec=0", "TasksMax=", "LimitNOFILE="),
    *("RuntimeDirectory=coyote-table", "LG_WD=%t/coyote-table", "MemoryMax=", "OOMPolicy=continue"),
)


@pytest.mark.parametrize("option", ["", "--user"])
def test_units_have_requirements_and_wait_for_no_network(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setattr(service, "user_for", lambda _caller, _checkout: "ana")
    result = coyote(f"table service --dry-run {option}")
    assert result.code == 0
    assert all(wanted in result.out for wanted in NEEDED)
    assert "network" not in result.out
    assert not re.search(r"\{\w+\}", result.out)
    assert ("ProtectSystem=strict" in result.out) == (option == "")
    # systemd's user folder differs from the one in that user's commands
    assert ("StateDirectory=coyote-table\nStateDirectoryMode=0700\n" in result.out) == (option == "")
    assert ("systemctl --user enable --now coyote.service" in result.out) == (option == "--user")


def test_table_runs_as_user_from_its_environment_with_few_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    monkeypatch.setattr(service, "PROGRAM", CHECKOUT / ".venv/bin/coyote")
    table = service.unit("multi-user.target", "ana", ["gpio", "audio", "users"])
    for wanted in (
        "User=ana\nSupplementaryGroups=gpio audio\n",
        "LANG=fr_FR.UTF-8",
        'ExecStart="/home/ana/coyote table/.venv/bin/coyote" run\n',
    ):
        assert wanted in table
    # it may bind the web port, and has no other root capability
    rights = [line for line in table.splitlines() if "Capabilit" in line]
    assert rights == ["CapabilityBoundingSet=CAP_NET_BIND_SERVICE", "AmbientCapabilities=CAP_NET_BIND_SERVICE"]
    devices = dict(re.findall(r"^DeviceAllow=(\S+) (\S+)$", table, re.MULTILINE))
    assert devices["char-input"] == "r"
    assert {"char-gpiochip", "char-video4linux", "char-alsa"} <= devices.keys()


def test_wrong_caller_is_rejected_in_one_line(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    for user, option, told in ((0, "--user", "without sudo"), (1000, "", "this needs sudo: sudo ")):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        result = coyote(f"table service {option}")
        assert (result.code, told in result.err) == (1, True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
@pytest.mark.parametrize(
    ("caller", "owner", "user"),
    [
        ("", "nobody", "nobody"),
        ("root", "nobody", "nobody"),
        ("", "root", "the table doesn't run as root: log in as the user who will run it, then use sudo"),
        ("nobody", "daemon", "belongs to daemon, so nobody can't update it: sudo chown -R nobody "),
    ],
)
def test_service_never_runs_as_root(tmp_path: Path, caller: str, owner: str, user: str) -> None:
    os.chown(tmp_path, getpwnam(owner).pw_uid, -1)
    try:
        found = service.user_for(caller, tmp_path)
    except click.ClickException as error:
        found = error.message
    assert user in found


def verified(folder: Path, files: Mapping[Path, str]) -> str:
    """Return systemd's report on units; only the program's path is replaced, as it may be missing here."""
    if shutil.which("systemd-analyze") is None:
        return ""
    for file, text in files.items():
        plain = re.sub(r"^ExecStart.*$", "ExecStart=/bin/true", text, flags=re.MULTILINE)
        (folder / file.name).write_text(plain, encoding="utf-8")
    command = ["systemd-analyze", "verify", *(str(folder / file.name) for file in files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_systemd_accepts_units_as_protected(tmp_path: Path) -> None:
    for made in (service.system_service("daemon"), service.user_service()):
        told = verified(tmp_path, made.files)
        assert service.NAME not in told
    told = measure_exposures(tmp_path)
    assert told.pop(service.KIOSK, 0.0) <= MAX_SCREEN_EXPOSURE
    assert all(each <= MAX_EXPOSURE for each in told.values())


def test_no_umask_makes_system_files_writable(tmp_path: Path) -> None:
    rule = tmp_path / "rules.d" / service.POWER_RULE.name
    before = os.umask(0)
    try:
        service.write_for_system(rule, service.power_rule("ana"))
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (rule.parent, rule)] == [0o755, 0o644]


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    me = getpwuid(os.geteuid())
    monkeypatch.setattr(service, "getpwnam", lambda _name: struct_passwd((*me[:5], str(tmp_path), *me[6:])))
    monkeypatch.setattr(state_folder, "ROOT", tmp_path)
    return tmp_path


def test_service_gets_private_folder_and_users_own_matches_are_named(at_home: Path) -> None:
    own, new = at_home / ".local/share/coyote-table", at_home / "var/lib/coyote-table"
    for folder in (own, new.parent):
        folder.mkdir(parents=True)
    user = getpwuid(os.geteuid()).pw_name
    assert list(service._prepare_state(user, user=False)) == [f"The table's files are in {new}."]
    assert new.stat().st_mode & 0o777 == 0o700
    (own / "journal.sqlite3").touch()
    _where, told = service._prepare_state(user, user=False)
    command = f"STATE_DIRECTORY={own} coyote table backup FILE && coyote table restore FILE"
    assert told == f"Matches in {own} stay there; to transfer them: {command}"


def test_service_may_write_only_to_second_copy_folder_of_its_user(at_home: Path) -> None:
    file = at_home / ".config/coyote-table/coyote.toml"
    file.parent.mkdir(parents=True)
    for configuration, written in (
        ("", ""),
        ("copy = 7", ""),
        ("[copy]\nfolder = '/srv/second copies'\n", ' "-/srv/second copies"'),
        ("[copy]\nfolder = '/srv/100%'\n", " -/srv/100%%"),
        ("[copy]\nfolder = 'copies'\n", ""),
        ('[copy]\nfolder = "/srv/x\\nExecStartPre=+/bin/sh"\n', ""),
    ):
        if configuration:
            file.write_text(configuration, encoding="utf-8")
        text = service.unit("multi-user.target", "ana", ())
        assert f"ReadWritePaths=-/media -/run/media -/mnt{written}\n" in text
        assert "ExecStartPre" not in text


def test_rule_lets_one_user_shut_down_and_checks_names() -> None:
    made = service.system_service("ana")
    assert 'subject.user === "ana" &&' in made.files[service.POWER_RULE]
    assert service.POWER_RULE not in service.user_service().files
    wanted = re.findall(r'"(org\.[^"]+)"', made.files[service.POWER_RULE])
    verbs = {f"{end}{more}" for end in ("power-off", "reboot") for more in ("", "-multiple-sessions")}
    assert {each.rpartition(".")[2] for each in wanted} == verbs
    strange = service.power_rule('a" || true || "')
    assert 'subject.user === "a\\" || true || \\""' in strange


def test_screen_starts_on_desktop_or_as_system_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    empty = service.Service({}, ())
    for user, place in (("ana", Path("/etc/xdg")), ("", tmp_path)):
        made = service.with_screen(empty, CHECKOUT, user, has_desktop=True)
        [(file, text)] = made.files.items()
        assert file == place / "autostart/coyote-kiosk.desktop"
        assert f"Exec={service.PROGRAM} table screen\n" in text
        assert made.commands == ()
    made = service.with_screen(empty, CHECKOUT, "daemon", has_desktop=False)
    assert made.commands[-1] == ("systemctl", "enable", "--now", "coyote-kiosk.service")
    text = made.files[Path("/etc/systemd/system/coyote-kiosk.service")]
    for line in ("PAMName=login", "TTYPath=/dev/tty1", "StateDirectory=coyote-kiosk"):
        assert f"{line}\n" in text
    assert service.KIOSK not in verified(tmp_path, made.files)
    with pytest.raises(click.ClickException, match="with sudo"):
        service.with_screen(empty, CHECKOUT, "", has_desktop=False)


def test_screen_browser_user_sees_code_but_not_state_or_network() -> None:
    made = service.with_screen(service.Service({}, ()), CHECKOUT, "ana", has_desktop=False)
    unit = made.files[Path("/etc/systemd/system/coyote-kiosk.service")]
    # systemd creates the user before anything starts
    assert made.commands[0] == ("systemd-sysusers", "/etc/sysusers.d/coyote-kiosk.conf")
    assert made.files[service.SYSUSERS].startswith("u coyote-kiosk - ")
    for line in ("User=coyote-kiosk", "TemporaryFileSystem=/home:ro", "IPAddressDeny=any"):
        assert f"{line}\n" in unit
    assert re.search(r'^BindReadOnlyPaths="/home/ana/coyote table"( |$)', unit, re.MULTILINE)
    assert re.findall(r"^ReadWritePaths=(.*)$", unit, re.MULTILINE) == ["-/run/user"]
    assert not set(re.findall(r"char-(\w+)", unit)) & {"gpiochip", "video4linux", "input", "spi"}


def test_missing_screen_requirements_are_reported_before_installation(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(service, "user_for", lambda _caller, _checkout: "ana")
    monkeypatch.setattr(service, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(service, "DESKTOP", tmp_path / "none")
    tmp_path.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(service, "_code_folders", lambda _checkout: (tmp_path,))
        result = coyote("table service --screen")
    assert (result.code, f"chmod -R o+rX {tmp_path}" in result.err) == (1, True)
    monkeypatch.setattr(service, "which", lambda _name: None)
    result = coyote("table service --screen")
    assert (result.code, "sudo apt install chromium cage xwayland" in result.err) == (1, True)
    assert "coyote-kiosk.service" in coyote("table service --screen --dry-run").out
