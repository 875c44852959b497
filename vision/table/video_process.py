"""FFmpeg in a disposable process with a limit of memory; it decodes what a network camera sends.

`VideoProcess` starts `python -m vision.table.video_process`. By a socket, the process gets the address, which
may contain a login, and a byte for each wanted picture, and sends pictures. It ends with its parent.
"""

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from struct import Struct
from threading import Event, Thread
from time import monotonic
from typing import IO

import cv2
import numpy as np

from vision.pictures import Picture
from vision.table.camera import CameraTroubleError

MEMORY = 200_000_000
"""Bytes of address space beyond the imports, on Linux: H.265 in 4K needs 170 MB with one thread."""
MAX_PIXELS = 9_000_000  # of one picture: 4K in both its shapes; reading larger ones was never measured
CHUNK = 65_536  # bytes passed on at once
SIZE = Struct("<II")  # height and width, before a picture's pixels
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
"""A thread of its own and its heap would take address space."""


class VideoProcess:
    """A process that decodes a stream: an RTSP address, or bytes that a function reads."""

    def __init__(self, source: str | Callable[[int], bytes], form: str) -> None:
        """Start the process. FFmpeg reads this format only, and no other protocol than the source's."""
        address, protocol = (source, "tcp") if isinstance(source, str) else ("pipe:0", "pipe")
        options = f"input_format;{form}|rtsp_transport;tcp|protocol_whitelist;{protocol}"
        self._line, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own Python, and nothing that a camera says
                (sys.executable, "-P", "-m", __name__, str(theirs.fileno())),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                # FFmpeg's log would contain the address
                stderr=subprocess.DEVNULL,
                env={**os.environ, **ENVIRONMENT, "OPENCV_FFMPEG_CAPTURE_OPTIONS": options},
                pass_fds=(theirs.fileno(),),
            )
        self._line.sendall(f"{address}\n".encode())
        read = source if callable(source) else lambda _most: b""
        self._feeder = Thread(target=_feed, args=(read, self._process.stdin), name="video", daemon=True)
        self._feeder.start()

    def picture(self, seconds: float) -> Picture | None:
        """Return the next picture, None at the end. Raises TimeoutError; CameraTroubleError if it's huge."""
        until = monotonic() + seconds
        try:
            self._line.sendall(b"\n")
            size = self._receive(bytearray(SIZE.size), until)
            if size is None:
                return None
            high, wide = SIZE.unpack(size)
            if not 0 < high * wide <= MAX_PIXELS:
                raise CameraTroubleError("huge picture")
            pixels = self._receive(bytearray(high * wide * 3), until)
        except ConnectionError:
            return None
        return None if pixels is None else np.frombuffer(pixels, np.uint8).reshape(high, wide, 3)

    def _receive(self, buffer: bytearray, until: float) -> bytearray | None:
        """Fill a buffer; None if the process ends before."""
        rest = memoryview(buffer)
        while rest:
            self._line.settimeout(max(0.001, until - monotonic()))
            count = self._line.recv_into(rest)
            if not count:
                return None
            rest = rest[count:]
        return buffer

    def close(self) -> None:
        """Kill the process. Waits until the function returns that reads the stream."""
        self._process.kill()
        self._process.wait()
        self._line.close()
        self._feeder.join()


def _feed(read: Callable[[int], bytes], pipe: IO[bytes]) -> None:
    with pipe, suppress(OSError, HTTPException):
        while more := read(CHUNK):
            pipe.write(more)


# in the process


def main() -> None:
    line, wanted = socket.socket(fileno=int(sys.argv[1])), Event()
    orders = line.makefile("rb", buffering=0)
    address = orders.readline().decode().strip()
    Thread(target=_hear_orders, args=(orders, wanted), daemon=True).start()
    _limit_memory()
    video = cv2.VideoCapture(address, cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
    # not even the first picture is lost
    wanted.wait()
    while video.grab():
        # all frames are received, only the wanted ones are converted
        if wanted.is_set():
            there, picture = video.retrieve()
            if there:
                wanted.clear()
                line.sendall(SIZE.pack(*picture.shape[:2]))
                line.sendall(picture.data)


def _hear_orders(orders: IO[bytes], wanted: Event) -> None:
    while orders.read(1):
        wanted.set()
    os._exit(0)


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # macOS neither reports the address space nor limits it
    with suppress(FileNotFoundError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
