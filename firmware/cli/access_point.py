"""`coyote access-point`: the table's own Wi-Fi, where there is no other; the phones find it at 10.42.0.1."""

import secrets
import shlex
import subprocess

import click

from firmware.language.speaking import _, label_text

ADDRESS = "10.42.0.1"
"""What NetworkManager gives itself when it shares."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letters that look alike."""
LENGTH = 10

Command = tuple[str, ...]


@click.command(
    "access-point",
    help=_("""Make a Wi-Fi of the table's own, named NAME, for the phones of those who play.

    It needs NetworkManager, as on Raspberry Pi OS, and the country whose rules the Wi-Fi has to follow. The
    Wi-Fi that the Pi used before comes back with --off.

    \b
    coyote access-point --country FR
    coyote access-point --off"""),
)
@click.option("--country", metavar="CC", help=_("The country, as two letters: FR, GB, US."))
@click.option("--name", default="coyote-table", show_default=True, help=_("What the Wi-Fi is called."))
@click.option("--password", help=_("Eight letters or more; otherwise one is made up and told."))
@click.option("--off", is_flag=True, help=_("Take it away again."))
@click.option("--dry-run", is_flag=True, help=_("Print the commands; change nothing."))
def access_point(country: str | None, name: str, password: str | None, *, off: bool, dry_run: bool) -> None:
    """Make an access point."""
    chosen = password or "".join(secrets.choice(LETTERS) for _letter in range(LENGTH))
    commands = (
        removal_commands(name)
        if off
        else setup_commands(_check_country(country), name, _check_password(chosen))
    )
    for command in commands:
        if dry_run:
            click.echo(shlex.join(command))
        else:
            _run(command)
    if not off:
        told = _("Wi-Fi: {name}, password: {password}, address of the table: {address}")
        click.echo(told.format(name=name, password=chosen, address=ADDRESS))


def setup_commands(country: str, name: str, password: str) -> tuple[Command, ...]:
    """List what makes the access point: the country first, as without it the radio stays off."""
    security = ("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.proto", "rsn", "wifi-sec.psk", password)
    return (
        ("sudo", "raspi-config", "nonint", "do_wifi_country", country),
        ("sudo", "rfkill", "unblock", "wifi"),
        ("sudo", "nmcli", "connection", "delete", "id", name),
        (
            *("sudo", "nmcli", "connection", "add", "type", "wifi", "ifname", "wlan0", "con-name", name),
            *("ssid", name, "mode", "ap", "wifi.band", "bg", "ipv4.method", "shared"),
            *("ipv6.method", "disabled", "connection.autoconnect", "yes", *security),
        ),
        ("sudo", "nmcli", "connection", "up", "id", name),
    )


def removal_commands(name: str) -> tuple[Command, ...]:
    """List what takes the access point away; the Wi-Fi from before comes back by itself."""
    return (("sudo", "nmcli", "connection", "delete", "id", name),)


def _check_country(country: str | None) -> str:
    if country is None or len(country) != 2 or not country.isascii() or not country.isalpha():
        raise click.UsageError(_("say in which country you are, as two letters: --country FR"))
    return country.upper()


def _check_password(password: str) -> str:
    if not 8 <= len(password) <= 63 or not password.isascii():
        raise click.UsageError(_("a Wi-Fi's password has 8 to 63 plain letters"))
    return password


def _run(command: Command) -> None:
    """Run a command; that nothing was there to delete is no failure."""
    try:
        done = subprocess.run(command, check=False)  # noqa: S603 - our own commands
    except OSError as error:
        raise click.ClickException(label_text(command[1], str(error.strerror))) from error
    if done.returncode and "delete" not in command:
        raise click.ClickException(_("{command} failed").format(command=shlex.join(command[:4])))
