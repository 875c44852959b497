"""A small network in namespaces of its own: houses at a router, which can be cut off, also one way alone.

It needs Linux, root and `ip`. Nothing of it is left once the program ends: namespaces go with who holds them.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of Linux."""
BASE = "10.77"
KINDS = ("cut", "deaf", "mute")
"""How a house may be cut off: nothing goes through, nothing comes to it, nothing comes from it."""


class Network:
    """Houses at a router; the calling thread, and those that it starts, live in the first house."""

    def __init__(self) -> None:
        """Move there."""
        self._home = _own_namespace()
        _unshare()
        self._router, self._ends = _made_namespace(), [self._home]
        self._ends.append(self._router)
        _in(self._router, lambda: Path("/proc/sys/net/ipv4/ip_forward").write_text("1", encoding="ascii"))
        self._connect(0, _own_namespace())
        self.address = f"{BASE}.0.2"
        """Where all houses reach us."""

    def close(self) -> None:
        """Move back."""
        _enter(self._home)
        for each in self._ends:
            os.close(each)

    def house(self, number: int) -> "House":
        """Build a house, from 1 on."""
        namespace = _made_namespace()
        self._connect(number, namespace)
        return House(self._router, namespace, number)

    def _connect(self, number: int, namespace: int) -> None:
        self._ends.append(namespace)
        near, far = f"r{number}", f"h{number}"
        there = f"/proc/{os.getpid()}/fd/{namespace}"

        def at_router() -> None:
            _ip("link add", near, "type veth peer name", far)
            _ip("link set", far, "netns", there)
            _ip("address add", f"{BASE}.{number}.1/24", "dev", near)
            _ip("link set", near, "up")

        def at_house() -> None:
            _ip("link set lo up")
            _ip("address add", f"{BASE}.{number}.2/24", "dev", far)
            _ip("link set", far, "up")
            _ip("route add default via", f"{BASE}.{number}.1")

        _in(self._router, at_router)
        _in(namespace, at_house)


class House:
    """A house at the router."""

    kinds = KINDS

    def __init__(self, router: int, namespace: int, number: int) -> None:
        """Take where it is."""
        self._router, self._number = router, number
        self._mending: tuple[str, ...] = ()
        self.door = f"/proc/{os.getpid()}/fd/{namespace}"
        """Where a process goes in; see `enter_house`."""

    def break_way(self, kind: str) -> None:
        """Cut it off at the router, which swallows without a word."""
        address = f"{BASE}.{self._number}.2"
        breaking, self._mending = {
            "cut": (("link set", f"r{self._number}", "down"), ("link set", f"r{self._number}", "up")),
            "deaf": (("route add blackhole", address), ("route del blackhole", address)),
            "mute": (("rule add blackhole from", address), ("rule del blackhole from", address)),
        }[kind]
        _in(self._router, lambda: _ip(*breaking))

    def mend_way(self) -> None:
        """Let everything through again."""
        _in(self._router, lambda: _ip(*self._mending))


def enter_house(door: str) -> None:
    """Move the calling thread into a house."""
    opened = os.open(door, os.O_RDONLY)
    _enter(opened)
    os.close(opened)


def why_no_network() -> str:
    """Say why there can be no such network here; nothing if there can."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return "no `ip` here"
    trouble: list[str] = []

    def look() -> None:
        try:
            _unshare()
            _ip("link add r0 type veth peer name h0")
        except (OSError, subprocess.CalledProcessError) as error:
            trouble.append(str(error))

    _run_apart(look)
    return "".join(trouble)


def _ip(*said: str) -> None:
    words = [word for each in said for word in each.split()]
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607 - as the system finds it


def _in(namespace: int, work: Callable[[], object]) -> None:
    """Do something in a namespace, in a thread that moves there."""
    _run_apart(lambda: (_enter(namespace), work()))


def _made_namespace() -> int:
    made: list[int] = []
    _run_apart(lambda: (_unshare(), made.append(_own_namespace())))
    return made[0]


def _run_apart(work: Callable[[], object]) -> None:
    """Run in a thread of its own, as a namespace is a thread's; what goes wrong there goes wrong here."""
    wrong: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - raised again below
            wrong.append(error)

    thread = Thread(target=run, name="network")
    thread.start()
    thread.join()
    for each in wrong:
        raise each


def _own_namespace() -> int:
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY)


def _unshare() -> None:
    _check(ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK))


def _enter(namespace: int) -> None:
    _check(ctypes.CDLL(None, use_errno=True).setns(namespace, NEW_NETWORK))


def _check(answer: int) -> None:
    if answer:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
