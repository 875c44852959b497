"""Let real cloud-init take a card that was prepared: `sudo python -m tests.long.first_boot [--suite trixie]`.

A root of Debian is made (mmdebstrap), the card lies where Raspberry Pi OS mounts it, and cloud-init's four
stages run in namespaces of their own: users, packages from Debian, our script, the service. No kernel boots,
systemctl is a stand-in that notes how it is called, and the camera's packages are left out: only Raspberry Pi
has them.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from firmware.cli.first_boot import BOOT, FOLDER, PACKAGES

INSIDE = (
    "cloud-init",
    "ca-certificates",
    "git",
    "python3",
    "python3-venv",
    "systemd",
    "netplan.io",
    "iproute2",
)
ONLY_THERE = {"python3-picamera2"}
"""Packages that Raspberry Pi alone has."""
AS_HERE = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""How packages are reached from here."""
PASSWORD = "a password of the house"  # noqa: S105 - of no house
SEED = 'datasource_list: [NoCloud]\ndatasource: {NoCloud: {seedfrom: "file:///boot/firmware/"}}\n'
STAND_IN = '#!/bin/sh\necho "$@" >>/systemctl.log\n'
STAGES = """
mount -t proc proc /proc
mount -t sysfs sys /sys || true
cloud-init init --local && cloud-init init
cloud-init modules --mode=config && cloud-init modules --mode=final
"""


def run(*command: str | Path, typed: str = "") -> None:
    """Run a command; it ends the trial if it fails."""
    subprocess.run(command, check=True, input=typed, text=True)


def prepare_card(boot: Path) -> None:
    """Prepare a card as its owner does."""
    boot.mkdir(parents=True)
    for name in ("config.txt", "cmdline.txt"):
        (boot / name).touch()
    (boot / "meta-data").write_text("instance-id: rpios-image\n", encoding="utf-8")
    words = ("--wifi", "Home", "--country", "FR", "--board", "six", "--timezone", "Europe/Paris")
    run(Path(sys.executable).with_name("coyote"), "image", boot, *words, typed=f"{PASSWORD}\n")
    told = json.loads((boot / "user-data").read_text(encoding="utf-8").removeprefix("#cloud-config\n"))
    told["packages"] = [name for name in PACKAGES if name not in ONLY_THERE]
    (boot / "user-data").write_text(f"#cloud-config\n{json.dumps(told)}\n", encoding="utf-8")


def make_root(root: Path, suite: str) -> None:
    """Make a root with cloud-init in it that looks for the card."""
    run("mmdebstrap", "--variant=minbase", f"--include={','.join(INSIDE)}", suite, root)
    (root / "etc/cloud/cloud.cfg.d/99-card.cfg").write_text(SEED, encoding="utf-8")
    stand_in = root / "usr/local/bin/systemctl"
    stand_in.write_text(STAND_IN, encoding="utf-8")
    stand_in.chmod(0o755)
    for file in map(Path, AS_HERE):
        if file.exists():
            shutil.copy(file, root / str(file).lstrip("/"))
    (root / "stages").write_text(STAGES, encoding="utf-8")


def faults(root: Path) -> list[str]:
    """List what isn't as it should be after the first start."""
    boot, home = root / BOOT.lstrip("/"), root / "home/coyote/coyote-table"
    log = (boot / FOLDER / "install.log").read_text(encoding="utf-8")
    netplan = "".join(file.read_text(encoding="utf-8") for file in (root / "etc/netplan").glob("*.yaml"))
    services = (root / "systemctl.log").read_text(encoding="utf-8")
    said = {
        "the script ended": log.endswith("done\n"),
        "the program is there, and its user's": (home / "run").exists() and (home / "run").stat().st_uid != 0,
        "the service starts with the computer": "enable --now coyote.service" in services,
        "the Wi-Fi is joined": "Home" in netplan and PASSWORD in netplan,
        "the password is on the card no more": not (boot / "network-config").exists(),
        "nobody can log in": "coyote:!" in (root / "etc/shadow").read_text(encoding="utf-8"),
        "the computer has its name": (root / "etc/hostname").read_text(encoding="utf-8").strip() == "coyote",
    }
    for what, is_so in said.items():
        print("ok  " if is_so else "NOT ", what)
    return [what for what, is_so in said.items() if not is_so]


def main() -> int:
    """Try a first start, and tell what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="trixie", help="the Debian that the root is made of")
    wish = parser.parse_args()
    with TemporaryDirectory() as folder:
        root = Path(folder, "root")
        make_root(root, wish.suite)
        prepare_card(root / BOOT.lstrip("/"))
        inside = (str(which("unshare")), "-muip", "--fork", "chroot", root, "/bin/sh", "/stages")
        # what went wrong is seen afterwards
        subprocess.run(inside, check=False)
        wrong = faults(root)
        if wrong:
            print((root / "boot/firmware/coyote/install.log").read_text(encoding="utf-8"))
        return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
