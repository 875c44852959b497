"""The table's Wi-Fi, as seen by other devices: in a home network, and as an access point for guests."""

import re

from tests.pi.evening import RUN, SLOW
from tests.pi.machine import Machine, tell

HOME, PASSWORD = "Home", "box-at-home"  # the Wi-Fi created by `air`
OWN = "coyote-table"
OWN_ADDRESS = "10.42.0.1"
AIR = "ip netns exec air"
PHONE = """
network={{
    ssid="{name}"
    psk="{password}"
}}
"""
FETCH = "from urllib.request import urlopen; print(urlopen('{url}', timeout=60).status)"
PROBED = "http://captive.apple.com/"  # the address that an iPhone checks for a captive portal
REVERTS = 180.0


def join_home(machine: Machine) -> None:
    """Wait until the table has joined the home Wi-Fi on its card; the image's radio is off by default."""
    tell(f"in the Wi-Fi {HOME} by the card", _wait_until_in(machine, HOME))
    said = machine.ask("ip -4 -brief address show wlan0")
    found = re.search(r"192\.168\.77\.\d+", said)
    if found is None:
        raise AssertionError(f"no address from the home's Wi-Fi: {said}")
    _fetch(machine, f"http://{found[0]}/")
    print("its page is loaded through that Wi-Fi")
    _require(machine, "iw reg get", "country US")


def make_own(machine: Machine) -> None:
    """Create an access point: it reverts by itself; once confirmed it stays and serves a phone."""
    _make(machine)
    tell("a Wi-Fi of its own", _wait_until_in(machine, "coyote-access-point"))
    tell("nobody confirms it: the home's is back", _wait_until_in(machine, HOME))
    password = _make(machine)
    print(machine.ask(f"{RUN} table wifi --confirm"))
    _join_as_phone(machine, password)
    _fetch(machine, f"http://{OWN_ADDRESS}/")
    _fetch(machine, PROBED)
    print("a phone has joined it, has an address, and its own look for a page leads to the table")
    _require(machine, "sysctl -n net.ipv4.ip_forward net.ipv4.conf.wlan0.forwarding", "0\n0")
    timer = "systemctl list-timers --all --no-legend coyote-access-point-end.timer"
    machine.wait_for("the time to confirm is over", lambda: not machine.ask(timer), REVERTS)
    _require(machine, "nmcli -g connection.autoconnect connection show coyote-access-point", "yes")
    print("confirmed it stays")
    print(machine.ask(f"{RUN} table wifi --off"))
    tell("taken away: the home's is back", _wait_until_in(machine, HOME))


def _make(machine: Machine) -> str:
    said = machine.ask(f"{RUN} table wifi --country US", SLOW)
    found = re.search(rf"Wi-Fi: {OWN}, password: (\S+), address of the table: {OWN_ADDRESS}", said)
    if found is None:
        raise AssertionError(f"no Wi-Fi is made: {said}")
    return found[1]


def _join_as_phone(machine: Machine, password: str) -> None:
    machine.ask(f"cat >/run/phone.conf <<'END'{PHONE.format(name=OWN, password=password)}END\n")
    said = machine.ask(
        f"{AIR} wpa_supplicant -B -D nl80211 -i wlan2 -c /run/phone.conf;"
        f" {AIR} dhcpcd --ipv4only --oneshot --waitip=4 --timeout 120 wlan2;"
        f" {AIR} ip -4 -brief address show wlan2",
        SLOW,
    )
    if "10.42.0." not in said:
        raise AssertionError(f"the phone has no address: {said}")


def _wait_until_in(machine: Machine, name: str) -> float:
    command = "nmcli -g GENERAL.STATE,GENERAL.CONNECTION device show wlan0"

    def is_in() -> bool:
        state, _is, connection = machine.ask(command).partition("\n")
        return state.startswith("100 ") and connection.endswith(name)

    return machine.wait_for(f"{name} on wlan0", is_in, SLOW)


def _fetch(machine: Machine, url: str) -> None:
    said = machine.ask(f'{AIR} python3 -c "{FETCH.format(url=url)}"')
    if said != "200":
        raise AssertionError(f"{url}: {said}")


def _require(machine: Machine, command: str, wanted: str) -> None:
    said = machine.ask(command)
    if wanted not in said:
        raise AssertionError(f"{command}: {said}")
