"""`coyote table wifi`: passwords don't leak, phones stay isolated, unconfirmed changes revert."""

import itertools
import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from firmware.cli.access_point import access_point
from firmware.services.addresses import Interface, OwnWifi
from firmware.storage.access_point import PROBED, WIFI_ACCESS
from tests.firmware.cli.fake_network import HOME, PROGRAMS, FakeNetwork, KilledError, Profile
from tests.firmware.conftest import Coyote


def made_up_network(root: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    root.mkdir()
    network = FakeNetwork(root)
    network.take_over(monkeypatch)
    return network


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return made_up_network(tmp_path / "network", monkeypatch)


SECRET = "open sesame"  # noqa: S105 - no secret of ours


def test_failing_radio_changes_nothing(coyote: Coyote, network: FakeNetwork) -> None:
    network.is_radio_well = False
    result = coyote("table wifi --country FR")
    assert result.code == 1
    # the instructions come before the switch
    assert all(word in result.out for word in ("coyote-table", "password: ", "10.42.0.1", "--confirm", "120"))
    assert network.is_home
    assert network.timer is None


@pytest.mark.parametrize("has_isolation", [True, False])
def test_unconfirmed_switch_reverts_after_two_minutes(
    coyote: Coyote, network: FakeNetwork, *, has_isolation: bool
) -> None:
    network.has_isolation = has_isolation
    result = coyote("table wifi --country FR")
    assert (result.code, "may not isolate phones" in result.out) == (0, not has_isolation)
    assert network.is_own
    network.pass_two_minutes()
    assert network.is_home
    assert list(network.profiles) == [HOME]
    assert network.files() == {}


def test_switch_stays_once_confirmed_in_terminal(coyote: Coyote, network: FakeNetwork) -> None:
    coyote("table wifi --country FR")
    assert "stays" in coyote("table wifi --confirm").out
    network.pass_two_minutes()
    assert network.is_own
    network.start_anew()
    assert network.is_own
    assert coyote("table wifi --confirm").code == 1
    assert "already" in coyote("table wifi --country FR").err
    result = coyote("table wifi --off")
    assert (result.code, result.out) == (0, "")
    network.start_anew()
    assert network.is_home
    assert list(network.profiles) == [HOME]


def test_page_confirmation_counts_for_one_attempt_only(
    coyote: Coyote, network: FakeNetwork, tmp_path: Path
) -> None:
    page = OwnWifi(tmp_path / "state", network.run_folder)
    assert page.seconds_left() is None
    assert not page.keep()
    coyote("table wifi --country FR")
    late = OwnWifi(tmp_path / "state", network.run_folder, lambda: monotonic() + 200)
    assert late.seconds_left() is None
    assert not late.keep()
    assert 0 < (page.seconds_left() or 0) <= 120
    assert page.keep()
    assert page.seconds_left() is None
    network.pass_two_minutes()
    assert network.is_own
    coyote("table wifi --off")
    network.start_anew()
    coyote("table wifi --country FR")
    assert network.is_own
    network.pass_two_minutes()
    assert network.is_home


def test_only_table_can_read_its_network_while_active(
    coyote: Coyote, network: FakeNetwork, tmp_path: Path
) -> None:
    there = [Interface("wlan0", "10.42.0.1")]
    page = OwnWifi(tmp_path / "state", network.run_folder, found=lambda: there)
    assert page.access() is None
    result = coyote("table wifi --country FR --name ours")
    access = page.access()
    assert access is not None
    assert access.name == "ours"
    assert f"password: {access.password}," in result.out
    file = tmp_path / "state" / WIFI_ACCESS.name
    assert file.stat().st_mode & 0o777 == 0o600
    # the earlier Wi-Fi is back
    there.clear()
    assert page.access() is None
    there.append(Interface("wlan0", "10.42.0.1"))
    coyote("table wifi --off")
    assert page.access() is None
    assert not file.exists()


@pytest.mark.parametrize("is_cut", [False, True])
def test_kill_at_any_step_reverts_within_two_minutes_or_at_reboot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_cut: bool
) -> None:
    for at in itertools.count(1):
        network = made_up_network(tmp_path / str(at), monkeypatch)
        network.dies_at = at
        try:
            access_point.main(["--country", "FR"], standalone_mode=False)
            is_killed = False
        except KilledError:
            is_killed = True
        if is_cut:
            network.start_anew()
        else:
            network.pass_two_minutes()
        assert network.is_home, at
        if not is_killed:
            assert at > 12
            return


def test_phones_are_isolated_and_nothing_is_routed(coyote: Coyote, network: FakeNetwork) -> None:
    coyote("table wifi --country FR --name 'our table'")
    profile = network.files()["coyote-access-point.nmconnection"]
    assert "ap-isolation=1\n" in profile
    assert "method=manual\naddress1=10.42.0.1/24\nnever-default=true\n" in profile
    assert "shared" not in profile
    assert "ssid=our table\n" in profile
    unit = network.files()["coyote-access-point.service"]
    for word in (
        "interface=wlan0",
        "port=0",
        "dhcp-option=option:router ",
        "dhcp-range=10.42.0.10,10.42.0.250,",
    ):
        assert f"--{word}" in unit
    # every name resolves to the table
    [names] = [line for line in unit.splitlines() if line.startswith("ExecStartPost=-")]
    for word in ("--interface=wlan0", "--except-interface=lo", "--no-resolv", "--no-hosts"):
        assert word in names.split()
    assert re.findall(r"--address=/([^/]+)/(\S+)", names) == [(name, "10.42.0.1") for name in PROBED]
    assert "--dhcp-option=option:dns-server,10.42.0.1 " in unit


def test_password_is_on_no_command_line(coyote: Coyote, network: FakeNetwork, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\n", encoding="utf-8")
    file.chmod(0o644)
    assert "chmod 600" in coyote(f"table wifi --country FR --password-file {file}").err
    assert network.calls == []
    file.chmod(0o600)
    result = coyote(f"table wifi --country FR --password-file {file}")
    assert result.code == 0
    assert SECRET in result.out
    assert f"psk={SECRET}\n" in network.files()["coyote-access-point.nmconnection"]
    assert SECRET not in repr(network.calls)


def test_typed_password_may_have_any_plain_letters(coyote: Coyote, network: FakeNetwork) -> None:
    assert coyote("table wifi --country FR --password-file -", typed=" a\\b;c d\n").code == 0
    assert "psk=\\sa\\\\b;c d\n" in network.files()["coyote-access-point.nmconnection"]


MISSING = [("--country FR", {"programs": PROGRAMS - {each}}, each) for each in ("nmcli", "dnsmasq", "sudo")]


@pytest.mark.parametrize(
    ("words", "changes", "expected"),
    [
        ("", {}, "--country FR"),
        ("--country France", {}, "--country FR"),
        ("--country FR --password-file -", {}, "8 to 63"),
        ("--country FR --password-file nowhere", {}, "nowhere: "),
        ("--country FR --name 'a\nb'", {}, "32 plain"),
        ("--country FR --name ';'", {}, "32 plain"),
        *MISSING,
        ("--country FR", {"devices": ("eth0:ethernet",)}, "no Wi-Fi here"),
    ],
)
def test_impossible_request_gets_one_line_and_changes_nothing(
    coyote: Coyote, network: FakeNetwork, words: str, changes: dict[str, Any], expected: str
) -> None:
    for name, value in changes.items():
        setattr(network, name, value)
    result = coyote(f"table wifi {words}", typed="short\n")
    assert (result.code > 0, result.err.count("\n"), expected in result.err) == (True, 1, True)
    assert network.calls == []


def test_off_removes_no_other_connection(coyote: Coyote, network: FakeNetwork) -> None:
    network.profiles["another"] = Profile("coyote-table", "ap")
    assert coyote("table wifi --off").out == "The table has no Wi-Fi of its own.\n"
    assert set(network.profiles) == {HOME, "another"}


def test_dry_run_needs_nothing_and_changes_nothing(coyote: Coyote, network: FakeNetwork) -> None:
    network.programs.remove("nmcli")
    result = coyote("table wifi --country fr --dry-run")
    assert (result.code, "do_wifi_country FR" in result.out, "systemd-run" in result.out) == (0, True, True)
    assert network.calls == []


OWN_NETWORK, HOME_NETWORK = Interface("wlan0", "10.42.0.1"), Interface("wlan0", "10.42.0.77")


@pytest.mark.parametrize(
    ("host", "address", "found", "is_led"),
    [
        ("connectivitycheck.gstatic.com:80", "10.42.0.17", OWN_NETWORK, True),
        ("WWW.msftconnecttest.com.", "10.42.0.17", OWN_NETWORK, True),
        # a home network with the same addresses
        ("captive.apple.com", "10.42.0.17", HOME_NETWORK, False),
        ("captive.apple.com", "192.168.1.7", OWN_NETWORK, False),
        ("captive.apple.com", "10.42.1.17", OWN_NETWORK, False),
        ("captive.apple.com", "2001:db8::1", OWN_NETWORK, False),
        ("captive.apple.com", "", OWN_NETWORK, False),
        ("www.google.com", "10.42.0.17", OWN_NETWORK, False),
        ("apple.com", "10.42.0.17", OWN_NETWORK, False),
        ("", "10.42.0.17", OWN_NETWORK, False),
    ],
)
def test_only_own_phones_looking_for_a_page_are_redirected(
    tmp_path: Path, host: str, address: str, found: Interface, *, is_led: bool
) -> None:
    page = OwnWifi(tmp_path, tmp_path, found=lambda: (found,))
    assert page.portal(host, address) == ("10.42.0.1" if is_led else None)
