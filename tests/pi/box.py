"""Boot the card written by `coyote table image`, and print the results: `tests/pi/run`."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from firmware.start.supervisor import PROGRAM
from tests.pi.camera import draw_frames
from tests.pi.evening import RUN, Host, check_cards, choose_board, claim, confirm_leds, fill_disk, play
from tests.pi.machine import Machine, make_disks, read_from_card, switched_on, tell
from tests.pi.wifi import HOME, PASSWORD, join_home, make_own

ROOT = Path(__file__).resolve().parents[2]
OWNERS_KEY = f"ssh-ed25519 {'A' * 68} an owner\n"
"""Public key of an owner who never logs in."""


FIRST_PAGE = "first-page"
"""The part that can run alone: the card's first start, in a third of the total time."""
FIRST, AGAIN = 2400.0, 900.0  # maximum seconds of a first start and a later one in the emulation
LOOP = "from time import process_time as t; a = t(); sum(range(3_000_000)); print(t() - a)"
FILES = ("config.txt", "cmdline.txt", "meta-data", "user-data", "network-config")
CONSOLE = "console=ttyAMA0 net.ifnames=0 rfkill.default_state=0 damon_stat.enabled=N"
"""Additional kernel parameters; memory accounting would take a tenth of a processor here."""


def main(cache: Path, part: str) -> None:
    begun = monotonic()
    with TemporaryDirectory(dir=cache) as folder:
        work = Path(folder)
        words = _write_card(cache, work)
        host = None
        try:
            with switched_on(cache, work, "first", words) as machine:
                tell("first page after the card was put in", machine.wait_for_page(FIRST))
                _look(machine)
                if part == FIRST_PAGE:
                    machine.switch_off()
                else:
                    host = _first_evening(machine)
            if host is not None:
                with switched_on(cache, work, "second", words) as machine:
                    _go_on(host, machine)
                with switched_on(cache, work, "third", words) as machine:
                    _resume(host, machine)
        except Exception:
            # the card's log may show the reason
            print(read_from_card(work, "coyote/install.log"))
            raise
    tell("all of it", monotonic() - begun)


def _write_card(cache: Path, work: Path) -> str:
    """Write the card like its owner, over an image of Raspberry Pi OS; return the kernel parameters."""
    card, key = work / "bootfs", work / "key.pub"
    card.mkdir()
    for name in FILES:
        (card / name).touch()
    (card / "cmdline.txt").write_text("root=LABEL=rootfs rw rootwait\n", encoding="ascii")
    # as in an image of Raspberry Pi OS
    (card / "meta-data").write_text("instance-id: rpios-image\n", encoding="ascii")
    key.write_text(OWNERS_KEY, encoding="ascii")
    options = ("--wifi", HOME, "--country", "US", "--ssh-key", key, "--wheels", cache / "wheels")
    subprocess.run(
        (sys.executable, "-P", "-c", PROGRAM, "table", "image", card, *options),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=f"{PASSWORD}\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    draw_frames(card)
    make_disks(cache, work, card)
    return f"{(card / 'cmdline.txt').read_text(encoding='ascii').strip()} {CONSOLE}"


def _first_evening(machine: Machine) -> Host:
    """Join the home's Wi-Fi, claim the table, set up a board, play; cut the power in mid-round."""
    join_home(machine)
    host = Host(machine)
    claim(host)
    choose_board(host)
    confirm_leds(host)
    play(host)
    host.told = host.moment()
    machine.cut_power()
    return host


def _go_on(host: Host, machine: Machine) -> None:
    """Resume the round, play on, even on a full disk."""
    tell("page after a pulled plug", machine.wait_for_page(AGAIN))
    host.machine = machine
    _is_same_moment(host)
    fill_disk(host)
    _is_same_moment(host)
    machine.switch_off()


def _resume(host: Host, machine: Machine) -> None:
    tell("page after a restart", machine.wait_for_page(AGAIN))
    host.machine = machine
    _is_same_moment(host)
    make_own(machine)
    _is_same_moment(host)
    machine.report("systemctl --failed --no-legend", "journalctl --boot --priority err --no-pager | tail -n 5")
    # last, because the emulation may be too slow for pictures; all else is checked by then
    check_cards(host)
    machine.switch_off()


def _is_same_moment(host: Host) -> None:
    host.machine.step("the round is there, all that was told is kept", lambda: host.moment() == host.told)


def _look(machine: Machine) -> None:
    here, there = _loop(), float(machine.ask(f'python3 -c "{LOOP}"').splitlines()[-1])
    print(f"a loop of Python takes {there / here:.0f} times as long as outside")
    machine.report(
        "cat /etc/hostname; uname -r; cat /proc/cmdline",
        "cloud-init status; systemctl is-active coyote",
        "cat /etc/coyote-table/coyote.toml",
        "systemctl show coyote -p MemoryCurrent -p MemoryMax -p NRestarts",
        "free --mega | head -n 2",
        "systemd-analyze security --no-pager coyote | grep Overall",
        f"{RUN} doctor",
    )


def _loop() -> float:
    done = subprocess.run((sys.executable, "-c", LOOP), capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), "".join(sys.argv[2:]))
