"""An emulated arm64 computer: disks, serial log, a shell on a second line, and its web page."""

import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

from msgspec import Struct

from tests.firmware.start.whole_table import free_port

MEMORY = 1024  # megabytes, as on the smallest supported Pi
MARK = "box-said"
SLOW = 600.0  # maximum seconds of a step
PROCESSOR = ("-cpu", "cortex-a72", "-smp", "2", "-m", str(MEMORY))
MODEL, REVISION = "Raspberry Pi 4 Model B Rev 1.5", "c03115"
TREE: tuple[tuple[str, ...], ...] = (
    # QEMU's own pins would be the first chip
    ("-r", "/gpio-keys"),
    ("-r", "/pl061@9030000"),
    ("-t", "s", "/", "model", MODEL),
    ("-c", "/system"),
    ("-t", "x", "/system", "linux,revision", REVISION),
    ("-cp", "/header/bank"),
    ("-t", "s", "/header", "compatible", "gpio-simulator"),
    ("/header/bank", "gpio-controller"),
    ("-t", "i", "/header/bank", "#gpio-cells", "2"),
    ("-t", "i", "/header/bank", "ngpios", "28"),
    ("-t", "s", "/header/bank", "gpio-sim,label", "header"),
)
"""Additions to QEMU's device tree: a Pi's name and revision, and a header of simulated pins."""


class WaitTimeoutError(Exception):
    """An awaited event didn't happen."""


class Machine(Struct, frozen=True, eq=False):
    """A running computer and its connections."""

    program: "subprocess.Popen[bytes]"
    shell: Path
    serial: Path
    port: int
    begun: float

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def cut_power(self) -> None:
        """Cut the power: nothing is written any more."""
        self.program.kill()
        self.program.wait()

    def switch_off(self) -> None:
        with suppress(OSError):
            self.send("systemctl poweroff")
        self.program.wait(180)

    def send(self, command: str) -> None:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.shell))
            line.sendall(f"{command}\n".encode())
            sleep(1.0)

    def ask(self, command: str, patience: float = 300.0) -> str:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.shell))
            line.settimeout(patience)
            # on a terminal some commands would prompt
            line.sendall(f"({command}) </dev/null 2>&1; echo {MARK[:3]}''{MARK[3:]}\n".encode())
            heard = b""
            while MARK.encode() not in heard:
                piece = line.recv(4096)
                if not piece:
                    break
                heard += piece
        return heard.decode(errors="replace").replace("\r", "").partition(MARK)[0].strip()

    def require(self, command: str, wanted: str, patience: float = 300.0) -> "re.Match[str]":
        """Run a command; return the match of a pattern that its output must contain."""
        said = self.ask(command, patience)
        if (found := re.search(wanted, said)) is None:
            raise AssertionError(f"{command}: {said}")
        return found

    def report(self, *commands: str) -> None:
        for command in commands:
            print(f"# {command}\n{self.ask(command, SLOW)}", flush=True)

    def wait_for_page(self, patience: float) -> float:
        self.wait_for("a page", self._has_page, patience)
        return monotonic() - self.begun

    def step(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait for an event, and print how long that took."""
        tell(what, self.wait_for(what, is_so, SLOW))

    def _has_page(self) -> bool:
        with urlopen(self.page, timeout=20) as page:  # noqa: S310 - http, by us
            return b"<html" in page.read()

    def wait_for(self, what: str, is_so: Callable[[], bool], patience: float) -> float:
        since = monotonic()
        while self.program.poll() is None and monotonic() < since + patience:
            with suppress(OSError, HTTPException):
                if is_so():
                    return monotonic() - since
            sleep(1.0)
        raise WaitTimeoutError(f"{what}: not within {patience:.0f} s: {self.last_lines()}")

    def last_lines(self) -> str:
        lines = self.serial.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-15:])


def make_disks(cache: Path, work: Path, card: Path) -> None:
    boot, root, base = work / "boot.img", work / "root.qcow2", cache / "root.img"
    size = sum(file.stat().st_size for file in card.rglob("*") if file.is_file())
    with boot.open("wb") as image:
        image.truncate(size + 128 * 1024 * 1024)
    call("mkfs.vfat", "-F", "32", "-n", "bootfs", boot)
    call("mcopy", "-s", "-Q", "-i", boot, *sorted(card.iterdir()), "::/")
    if not base.exists() or base.stat().st_mtime < (cache / "made-of").stat().st_mtime:
        call("mke2fs", "-q", "-F", "-t", "ext4", "-L", "rootfs", "-d", cache / "root", base, "6G")
    make_tree(work)
    call("qemu-img", "create", "-q", "-f", "qcow2", "-b", base, "-F", "raw", root)


def make_tree(work: Path) -> None:
    tree = work / "tree.dtb"
    call("qemu-system-aarch64", "-M", f"virt,dumpdtb={tree}", *PROCESSOR, "-display", "none", "-nodefaults")
    for words in TREE:
        options = words[: 2 if words[0] == "-t" else 1] if words[0].startswith("-") else ()
        call("fdtput", *options, tree, *words[len(options) :])


def read_from_card(work: Path, name: str) -> str:
    done = subprocess.run(("mtype", "-i", work / "boot.img", f"::/{name}"), capture_output=True, check=False)
    return done.stdout.decode(errors="replace")


def call(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def tell(what: str, seconds: float) -> None:
    print(f"{what}: {seconds:.0f} s", flush=True)


@contextmanager
def switched_on(cache: Path, work: Path, name: str, words: str) -> Iterator[Machine]:
    """Start the computer; the kernel has the card's parameters."""
    shell, serial, port = work / "shell", work / f"{name}.serial", free_port()
    shell.unlink(missing_ok=True)
    program = subprocess.Popen(
        (
            *("nice", "-n", "15", "qemu-system-aarch64", "-M", "virt", "-dtb", work / "tree.dtb", *PROCESSOR),
            *("-accel", "tcg,thread=multi", "-display", "none", "-nodefaults", "-no-reboot"),
            *("-kernel", cache / "vmlinuz", "-initrd", cache / "initrd", "-append", words),
            *("-drive", f"file={work / 'root.qcow2'},format=qcow2,if=virtio,cache=writeback"),
            *("-drive", f"file={work / 'boot.img'},format=raw,if=virtio,cache=writeback"),
            *("-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:80"),
            *("-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci"),
            *("-serial", f"file:{serial}", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=shell,path={shell},server=on,wait=off"),
            *("-device", "virtconsole,chardev=shell"),
        )
    )
    try:
        yield Machine(program, shell, serial, port, monotonic())
    finally:
        program.kill()
        program.wait()
