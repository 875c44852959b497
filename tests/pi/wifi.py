"""The table's Wi-Fi, as seen by other devices: in a home network, and as an access point for guests."""

from functools import partial

from tests.pi.evening import RUN
from tests.pi.machine import SLOW, Machine

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
    machine.step(f"in the Wi-Fi {HOME} by the card", partial(_is_in, machine, HOME))
    address = machine.require("ip -4 -brief address show wlan0", r"192\.168\.77\.\d+")[0]
    _fetch(machine, f"http://{address}/")
    print("its page is loaded through that Wi-Fi")
    machine.require("iw reg get", "country US")


def make_own(machine: Machine) -> None:
    """Create an access point: it reverts by itself; once confirmed it stays and serves a phone."""
    _make(machine)
    machine.step("a Wi-Fi of its own", partial(_is_in, machine, "coyote-access-point"))
    machine.step("nobody confirms it: the home's is back", partial(_is_in, machine, HOME))
    password = _make(machine)
    print(machine.ask(f"{RUN} table wifi --confirm"))
    _join_as_phone(machine, password)
    _fetch(machine, f"http://{OWN_ADDRESS}/")
    _fetch(machine, PROBED)
    print("a phone has joined it, has an address, and its own look for a page leads to the table")
    machine.require("sysctl -n net.ipv4.ip_forward net.ipv4.conf.wlan0.forwarding", "0\n0")
    timer = "systemctl list-timers --all --no-legend coyote-access-point-end.timer"
    machine.wait_for("the time to confirm is over", lambda: not machine.ask(timer), REVERTS)
    machine.require("nmcli -g connection.autoconnect connection show coyote-access-point", "yes")
    print("confirmed it stays")
    print(machine.ask(f"{RUN} table wifi --off"))
    machine.step("taken away: the home's is back", partial(_is_in, machine, HOME))


def _make(machine: Machine) -> str:
    made = rf"Wi-Fi: {OWN}, password: (\S+), address of the table: {OWN_ADDRESS}"
    return machine.require(f"{RUN} table wifi --country US", made, SLOW)[1]


def _join_as_phone(machine: Machine, password: str) -> None:
    machine.ask(f"cat >/run/phone.conf <<'END'{PHONE.format(name=OWN, password=password)}END\n")
    machine.require(
        f"{AIR} wpa_supplicant -B -D nl80211 -i wlan2 -c /run/phone.conf;"
        f" {AIR} dhcpcd --ipv4only --oneshot --waitip=4 --timeout 120 wlan2;"
        f" {AIR} ip -4 -brief address show wlan2",
        r"10\.42\.0\.",
        SLOW,
    )


def _is_in(machine: Machine, name: str) -> bool:
    said = machine.ask("nmcli -g GENERAL.STATE,GENERAL.CONNECTION device show wlan0")
    state, _is, connection = said.partition("\n")
    return state.startswith("100 ") and connection.endswith(name)


def _fetch(machine: Machine, url: str) -> None:
    machine.require(f'{AIR} python3 -c "{FETCH.format(url=url)}"', "^200$")
