"""Boot the card that `coyote table image` writes, and print what was seen: `tests/pi/run`."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pi.machine import Machine, TooLate, call, make_disks, read_from_card, switched_on

FIRST, AGAIN = 2400.0, 900.0
"""Seconds that a first start and a later one may take here."""
LOOP = "from time import process_time as t; a = t(); sum(range(3_000_000)); print(t() - a)"
FILES = ("config.txt", "cmdline.txt", "meta-data", "user-data", "network-config")
CONSOLE = "console=ttyAMA0 net.ifnames=0"


def main(cache: Path) -> None:
    """Go through the first evening of a card."""
    with TemporaryDirectory(dir=cache) as folder:
        work = Path(folder)
        words = _write_card(cache, work)
        try:
            _first_start(cache, work, words)
            _later_starts(cache, work, words)
        except (TooLate, TimeoutError, subprocess.TimeoutExpired) as error:
            print(f"FAILED: {error}")
            print(read_from_card(work, "coyote/install.log"))
            sys.exit(1)


def _write_card(cache: Path, work: Path) -> str:
    """Write the card as its owner does, over what Raspberry Pi OS has on it; give the kernel's words."""
    card = work / "bootfs"
    card.mkdir()
    for name in FILES:
        (card / name).touch()
    (card / "cmdline.txt").write_text("root=LABEL=rootfs rw rootwait\n", encoding="ascii")
    # as an image of Raspberry Pi OS has it
    (card / "meta-data").write_text("instance-id: rpios-image\n", encoding="ascii")
    coyote = Path(sys.executable).with_name("coyote")
    call(coyote, "table", "image", card, "--country", "US", "--board", "none", "--wheels", cache / "wheels")
    words = f"{(card / 'cmdline.txt').read_text(encoding='ascii').strip()} {CONSOLE}"
    make_disks(cache, work, card)
    return words


def _first_start(cache: Path, work: Path, words: str) -> None:
    with switched_on(cache, work, "first", words) as machine:
        _tell("first page after the card was put in", machine.wait_for_page(FIRST))
        _look(machine)
        machine.switch_off()
    log = read_from_card(work, "coyote/install.log").strip().splitlines()
    print(f"install.log ends with: {log[-1] if log else 'nothing'}")
    print(f"the Wi-Fi's file on the card: {read_from_card(work, 'network-config') or 'erased'}")


def _later_starts(cache: Path, work: Path, words: str) -> None:
    with switched_on(cache, work, "second", words) as machine:
        _tell("page after a restart", machine.wait_for_page(AGAIN))
        machine.pull_the_plug()
    with switched_on(cache, work, "third", words) as machine:
        _tell("page after a pulled plug", machine.wait_for_page(AGAIN))
        for command in (
            "systemctl --failed --no-legend",
            "journalctl --boot --priority err --no-pager | tail -n 5",
        ):
            print(f"# {command}\n{machine.ask(command)}")
        machine.switch_off()


def _look(machine: Machine) -> None:
    """Ask the computer what it is like inside."""
    here, there = _loop(), float(machine.ask(f'python3 -c "{LOOP}"').splitlines()[-1])
    print(f"a loop of Python takes {there / here:.0f} times as long as outside")
    for command in (
        "cat /etc/hostname; uname -r; cat /proc/cmdline",
        "cloud-init status; systemctl is-active coyote",
        "cat /etc/coyote-table/coyote.toml",
        "systemctl show coyote -p MemoryCurrent -p MemoryMax -p NRestarts",
        "free --mega | head -n 2",
        "systemd-analyze security --no-pager coyote coyote-guard | grep Overall",
        "runuser -u coyote -- /home/coyote/coyote-table/run doctor",
    ):
        print(f"# {command}\n{machine.ask(command)}")


def _loop() -> float:
    done = subprocess.run((sys.executable, "-c", LOOP), capture_output=True, text=True, check=True)
    return float(done.stdout)


def _tell(what: str, seconds: float) -> None:
    print(f"{what}: {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
