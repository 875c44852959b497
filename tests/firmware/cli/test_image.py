"""A prepared SD card: its files, and its first-start script."""

import json
import os
import re
import subprocess
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from firmware.cli.image import FirstBoot, install_script, network_config, own_timezone, radio_script, user_data
from firmware.storage.access_point import WifiAccess
from firmware.storage.configuration import settings_of
from tests.firmware.conftest import Coyote, put_programs

GIT = str(which("git"))
HOME = WifiAccess('Chloé\'s "Wi-Fi": #1', 'p@ss: "w0rd" \\ #x')


@pytest.fixture
def card(tmp_path: Path) -> Path:
    boot = tmp_path / "bootfs"
    boot.mkdir()
    for name in ("config.txt", "cmdline.txt", "meta-data", "user-data", "network-config"):
        (boot / name).write_text(f"# {name}\n", encoding="utf-8")
    return boot


@pytest.fixture
def bare_card(card: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a card without the program, which takes a while to pack."""
    monkeypatch.setattr("firmware.cli.image._bundle", Path.touch)
    return card


def recording_tool(name: str) -> str:
    return f'printf "%s %s\\n" "{name}" "$*" >>"$NOTES"\n'


def plain_card(text: str) -> Any:
    return json.loads(text.removeprefix("#cloud-config\n"))


def written_files(card: Path, name: str = "user-data") -> Any:
    return plain_card((card / name).read_text(encoding="utf-8"))


def run(folder: Path, script: str, codes: Mapping[str, int], state: Path) -> list[str]:
    """Run a script with tools that return these exit codes. Returns their calls."""
    tools, notes = folder / "tools", folder / "notes"
    put_programs(tools, {name: f"{recording_tool(name)}exit {code}" for name, code in codes.items()})
    notes.write_text("", encoding="utf-8")
    around = {"PATH": f"{tools}:{os.environ['PATH']}", "NOTES": str(notes), "COYOTE_RADIO": str(state)}
    subprocess.run(("/bin/sh", "-c", script), env=around, check=True)
    return notes.read_text(encoding="utf-8").splitlines()


def test_card_has_program_settings_and_installer(
    coyote: Coyote, card: Path, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.cli.image.ROOT", code)
    result = coyote(
        f"table image {card} --wifi H --country fr --board fab --timezone Europe/Paris", "s3cret-enough\n"
    )
    assert (result.code, result.err) == (0, "")
    assert "http://coyote.local" in result.out
    assert "s3cret-enough" not in result.out
    told = written_files(card)
    assert (told["hostname"], told["timezone"]) == ("coyote", "Europe/Paris")
    user = {"name": "coyote", "groups": "gpio, video", "shell": "/bin/bash", "lock_passwd": True}
    assert told["users"] == [user]
    network = written_files(card, "network-config")
    assert network["wifis"]["wlan0"]["access-points"] == {"H": {"password": "s3cret-enough"}}
    assert network["wifis"]["wlan0"]["regulatory-domain"] == "FR"
    assert (card / "user-data.before-coyote").read_text(encoding="utf-8") == "# user-data\n"
    heads = subprocess.run(
        (GIT, "bundle", "list-heads", card / "coyote" / "coyote.bundle"), capture_output=True, check=True
    )
    assert b" HEAD" in heads.stdout
    again = coyote(f"table image {card}")
    assert again.code == 0
    # no password of an earlier attempt stays on the card
    assert not any(b"s3cret-enough" in file.read_bytes() for file in card.iterdir() if file.is_file())
    assert "wifis" not in written_files(card, "network-config")
    assert (card / "user-data.before-coyote").read_text(encoding="utf-8") == "# user-data\n"


def test_table_gets_time_zone_of_preparing_computer(tmp_path: Path) -> None:
    clock = tmp_path / "localtime"
    assert own_timezone(clock) is None
    clock.symlink_to(tmp_path / "zoneinfo" / "America" / "Argentina" / "Salta")
    assert own_timezone(clock) == "America/Argentina/Salta"


def test_card_with_links_or_older_system_is_rejected(coyote: Coyote, bare_card: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine", encoding="utf-8")
    (bare_card / "network-config").unlink()
    (bare_card / "network-config").symlink_to(tmp_path / "victim")
    assert coyote(f"table image {bare_card}").code == 1
    assert (tmp_path / "victim").read_text(encoding="utf-8") == "mine"
    (bare_card / "network-config").unlink()
    (bare_card / "network-config").touch()
    (bare_card / "meta-data").unlink()
    assert coyote(f"table image {bare_card}").code == 1


def test_country_enables_radio_before_packages_are_fetched(
    coyote: Coyote, bare_card: Path, tmp_path: Path
) -> None:
    assert coyote(f"table image {bare_card}").code == 0
    assert len(written_files(bare_card)["bootcmd"]) == 1
    assert coyote(f"table image {bare_card} --country xyz").code == 2
    assert coyote(f"table image {bare_card} --wifi Home", "s3cret-enough\n").code == 2
    assert coyote(f"table image {bare_card} --wifi Home --country fr", "s3cret-enough\n").code == 0
    _wizard, (*once, script) = written_files(bare_card)["bootcmd"]
    assert once == ["cloud-init-per", "instance", "coyote-radio", "sh", "-c"]
    assert script == radio_script("FR")
    state = tmp_path / "nm.state"
    state.write_text("[main]\nWirelessEnabled=false\n", encoding="utf-8")
    # the first ones may fail: another system has no raspi-config
    codes = {"raspi-config": 1, "rfkill": 1, "systemctl": 0, "nmcli": 0}
    told = ["raspi-config nonint do_wifi_country FR", "rfkill unblock wifi"]
    asked = "systemctl is-active --quiet NetworkManager"
    assert run(tmp_path, script, codes, state) == [*told, asked, "nmcli radio wifi on"]
    assert state.read_text(encoding="utf-8") == "[main]\nWirelessEnabled=true\n"
    # if it isn't running yet, its configuration file is enough
    assert run(tmp_path, script, {**codes, "systemctl": 3}, state) == [*told, asked]


def test_kernel_counts_memory_and_cloud_init_waits_for_card(coyote: Coyote, bare_card: Path) -> None:
    before = "console=tty1 root=PARTUUID=1-02 rootwait"
    (bare_card / "cmdline.txt").write_text(f"{before} cgroup_enable=memory\n", encoding="utf-8")
    for _time in range(2):
        assert coyote(f"table image {bare_card}").code == 0
        (line,) = (bare_card / "cmdline.txt").read_text(encoding="utf-8").splitlines()
        *words, (key, unit) = [*line.split()[:-1], line.split()[-1].rsplit(":", 1)]
        assert words == [*before.split(), "cgroup_enable=memory"]
        assert key == "systemd.set_credential_binary=systemd.unit-dropin.cloud-init-main.service"
        assert b64decode(unit).decode() == "[Unit]\nRequiresMountsFor=/boot/firmware\n"


def test_first_start_installs_all_packages_run_needs() -> None:
    text = (Path(__file__).parents[3] / ".ci" / "raspberry").read_text(encoding="utf-8")
    (asked,) = re.findall(r'^packages="(.*)"$', text, re.MULTILINE)
    (brought,) = re.findall(r'^packages="(.*)"$', install_script(FirstBoot()), re.MULTILINE)
    assert set(asked.split()) <= set(brought.split())


def test_installation_is_retried_at_each_start_until_success() -> None:
    told = plain_card(user_data(FirstBoot()))
    (path, content), (issue, shown) = [(each["path"], each["content"]) for each in told["write_files"]]
    assert path.startswith("/var/lib/cloud/scripts/per-boot/")
    line = "[ -e {0} ] || {{ sh /boot/firmware/coyote/install && touch {0}; }}"
    assert content.splitlines()[1] == line.format("/var/lib/coyote-table-installed")
    # a monitor shows the address before any login
    assert (issue, "http://\\4" in shown) == ("/etc/issue.d/coyote.issue", True)


def test_any_wifi_name_is_written_unchanged_in_one_file_only() -> None:
    wished = FirstBoot(wifi=HOME)
    network = plain_card(network_config(wished))
    assert network["wifis"]["wlan0"]["access-points"] == {HOME.name: {"password": HOME.password}}
    assert HOME.password not in user_data(wished) + install_script(wished)


def test_only_owner_with_key_can_log_in(coyote: Coyote, bare_card: Path, tmp_path: Path) -> None:
    key = tmp_path / "id.pub"
    key.write_text("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9 ana@home\n", encoding="utf-8")
    assert coyote(f"table image {bare_card} --ssh-key {key}").code == 0
    (user,) = written_files(bare_card)["users"]
    assert user["lock_passwd"]
    assert user["ssh_authorized_keys"] == ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9 ana@home"]
    private = tmp_path / "id"
    private.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n", encoding="utf-8")
    result = coyote(f"table image {bare_card} --ssh-key {private}")
    assert result.code == 1
    assert "ends in .pub" in result.err


def test_invalid_password_is_rejected_and_card_unchanged(coyote: Coyote, bare_card: Path) -> None:
    for typed in ("short\n", ""):
        result = coyote(f"table image {bare_card} --wifi Home --country FR", typed)
        assert (result.code in {1, 2}, result.out, result.err.count("\n")) == (True, "", 1)
        assert (bare_card / "user-data").read_text(encoding="utf-8") == "# user-data\n"


# the script in a sandbox: a program that records its calls, and stand-ins for root's tools

RUNUSER = 'shift 3\nexec "$@"'
PROGRAM = 'printf "run %s [%s] [%s]\\n" "$*" "$LANG" "${PIP_NO_INDEX:-}" >>"$NOTES"\n[ ! -e "$FAILS" ]'


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a checkout of a small program; packing ours with its history takes a while."""
    code = tmp_path / "code"
    put_programs(code, {"run": PROGRAM})
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (
        ("init", "--quiet", "--initial-branch", "main"),
        ("add", "run"),
        (*who, "commit", "--quiet", "--message", "x"),
    ):
        subprocess.run((GIT, "-C", code, *command), check=True)
    return code


@pytest.fixture
def computer(tmp_path: Path, code: Path) -> dict[str, str]:
    """Return a computer that starts from a card: its tools and the card's bundle."""
    tools, boot = tmp_path / "tools", tmp_path / "boot"
    (boot / "coyote").mkdir(parents=True)
    noted = {name: recording_tool(name) for name in ("chown", "apt-get", "cancel-rename")}
    put_programs(tools, {"runuser": RUNUSER, "dpkg": '[ -e "$HAS_PACKAGES" ]', **noted})
    bundle = ("bundle", "create", "--quiet", str(boot / "coyote" / "coyote.bundle"), "HEAD", "main")
    subprocess.run((GIT, "-C", code, *bundle), check=True)
    (boot / "network-config").write_text("secret", encoding="utf-8")
    return {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "NOTES": str(tmp_path / "notes"),
        "FAILS": str(tmp_path / "fails"),
        "HAS_PACKAGES": str(tmp_path / "packages"),
        "COYOTE_BOOT": str(boot),
        "COYOTE_HOME": str(tmp_path / "home" / "coyote-table"),
        "COYOTE_LOG": str(tmp_path / "install.log"),
    }


def start(computer: dict[str, str], wish: FirstBoot) -> tuple[int, list[str]]:
    script = Path(computer["COYOTE_BOOT"], "coyote", "install")
    script.write_text(install_script(wish), encoding="utf-8")
    Path(computer["NOTES"]).write_text("", encoding="utf-8")
    Path(computer["COYOTE_HOME"]).parent.mkdir(exist_ok=True)
    done = subprocess.run(("/bin/sh", script), env=computer, check=False)
    return done.returncode, Path(computer["NOTES"]).read_text(encoding="utf-8").splitlines()


def test_first_start_installs_program_and_erases_password(computer: dict[str, str]) -> None:
    code, notes = start(computer, FirstBoot(board="fab", language="fr", has_screen=True))
    assert code == 0, Path(computer["COYOTE_LOG"]).read_text(encoding="utf-8")
    assert notes[0] == "cancel-rename coyote"
    assert notes[1].startswith("apt-get update")
    assert {"python3-picamera2", "cage"} <= set(notes[2].split())
    assert notes[4:] == [
        "run --version [fr_FR.UTF-8] []",
        "run table board fab [fr_FR.UTF-8] []",
        "run table service --screen [fr_FR.UTF-8] []",
    ]
    assert not Path(computer["COYOTE_BOOT"], "network-config").exists()
    assert Path(computer["COYOTE_LOG"]).read_text(encoding="utf-8").splitlines()[-1] == "done"


def test_failing_start_is_logged_and_next_one_continues(computer: dict[str, str]) -> None:
    fails = Path(computer["FAILS"])
    fails.touch()
    code, notes = start(computer, FirstBoot())
    assert code != 0
    assert notes[-1] == "run --version [C.UTF-8] []"
    # the password was read before anything could fail
    assert not Path(computer["COYOTE_BOOT"], "network-config").exists()
    fails.unlink()
    Path(computer["HAS_PACKAGES"]).touch()
    # packages on the card are not downloaded
    Path(computer["COYOTE_BOOT"], "coyote", "wheels").mkdir()
    code, notes = start(computer, FirstBoot())
    assert code == 0
    assert "run --version [C.UTF-8] [1]" in notes
    assert notes[-1].startswith("run table service")
    # already installed
    assert not [note for note in notes if note.startswith(("chown", "apt-get"))]


def test_system_packages_on_card_need_no_network(computer: dict[str, str]) -> None:
    brought = Path(computer["COYOTE_BOOT"], "coyote", "wheels", "git_1_arm64.deb")
    brought.parent.mkdir()
    brought.touch()
    tools = Path(computer["PATH"].split(":")[0])
    put_programs(tools, {"apt-get": f'{recording_tool("apt-get")}touch "$HAS_PACKAGES"'})
    code, notes = start(computer, FirstBoot())
    assert code == 0
    asked = [note for note in notes if note.startswith("apt-get")]
    assert asked == [f"apt-get install --quiet --yes --no-install-recommends {brought}"]


@pytest.mark.parametrize(("country", "mains"), [("FR", 50), ("US", 60), (None, 50)])
def test_mains_frequency_of_country_is_set_for_camera(country: str | None, mains: int) -> None:
    written = plain_card(user_data(FirstBoot(country=country)))["write_files"]
    # cloud-init writes the file once, so a person may change it later
    told = "".join(each["content"] for each in written if each["path"] == "/etc/coyote-table/coyote.toml")
    assert settings_of(told, "coyote.toml").camera.mains == mains
