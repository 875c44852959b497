"""Patches picamera2 on import, so that libcamera's virtual camera behaves like a Pi's.

The virtual camera has no raw stream, supports only NV12 with a plane for each half, sends hundreds of frames a
second, and always shows one picture. Patched, it sends 30 frames a second in the requested format, from the
file named by `BENCH_FRAMES`: consecutive frames in NV12.
"""

import os
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import cv2
import libcamera  # type: ignore[import-not-found]
import numpy as np
from picamera2 import dma_heap, request  # type: ignore[import-not-found]
from picamera2.allocators import dmaallocator  # type: ignore[import-not-found]

EVERY = 1 / 30  # seconds per frame
HEAP = "/dev/dma_heap/system"


class Sensor:
    """A camera that completes its requests frame by frame; all else is the virtual camera's."""

    def __init__(self, camera: Any) -> None:
        own = {"camera": camera, "requests": SimpleQueue(), "lock": Lock(), "starts": 0}
        self.__dict__.update(own)
        Thread(target=self._run, daemon=True).start()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.camera, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.camera, name, value)

    def __eq__(self, other: object) -> bool:
        return bool(self.camera == (other.camera if isinstance(other, Sensor) else other))

    __hash__ = None  # type: ignore[assignment]

    def queue_request(self, request: Any) -> None:
        self.requests.put((self.starts, request))

    def stop(self) -> None:
        with self.lock:
            self.__dict__["starts"] += 1
            self.camera.stop()

    def _run(self) -> None:
        due = monotonic()
        while True:
            start, request = self.requests.get()
            # a frame without a free buffer is dropped
            while due < monotonic():
                due += EVERY
            sleep(max(0.0, due - monotonic()))
            with self.lock:
                if start == self.starts:
                    self.camera.queue_request(request)


class Film:
    """The frames of a file, read again when it is replaced."""

    def __init__(self, file: str) -> None:
        self._file, self._which, self._frames, self._number = Path(file), 0, b"", 0

    def expose(self, buffer: Any) -> None:
        with suppress(FileNotFoundError):
            which = self._file.stat().st_mtime_ns
            if which != self._which:
                self._which, self._frames = which, self._file.read_bytes()
        count = len(self._frames) // len(buffer)
        if count:
            self._number += 1
            start = self._number % count * len(buffer)
            buffer[:] = memoryview(self._frames)[start : start + len(buffer)]


def mend(picamera2: Any) -> None:
    dma_heap.heapNames = [HEAP]
    dmaallocator.libcamera = SimpleNamespace(FrameBuffer=_planes_of(libcamera.FrameBuffer))
    request.Helpers._make_array_shared = _array
    _patch_camera(picamera2.Picamera2, libcamera.StreamRole.Viewfinder)
    _patch_request(request.CompletedRequest, Film(os.environ.get("BENCH_FRAMES", "")))


def _patch_camera(camera: Any, role: Any) -> None:
    grab, noted = camera._grab_camera, camera._update_stream_config

    def raw_modes(self: Any) -> list[dict[str, Any]]:
        formats = self.camera.generate_configuration([role]).at(0).formats
        return [
            {"format": str(kind), "size": (size.width, size.height)}
            for kind in formats.pixel_formats
            for size in formats.sizes(kind)
        ]

    def note(self: Any, ours: dict[str, Any], theirs: Any) -> None:
        wanted = ours["format"]
        noted(self, ours, theirs)
        ours.update(format=wanted, stride=ours["size"][0] * DEEP[wanted])

    camera._grab_camera = lambda self, which: Sensor(grab(self, which))
    camera._get_raw_modes, camera._update_stream_config = raw_modes, note


def _patch_request(completed: Any, film: Film) -> None:
    made = completed.__init__

    def make(self: Any, request: Any, camera: Any) -> None:
        made(self, request, camera)
        buffers = [camera.allocator.mapped_buffers[buffer] for buffer in request.buffers.values()]
        film.expose(max(buffers, key=len))

    completed.__init__ = make


def _planes_of(whole: Any) -> Any:
    def buffer(planes: list[Any]) -> Any:
        (both,) = planes
        colours = whole.Plane()
        colours.fd, colours.offset, colours.length = both.fd, both.length * 2 // 3, both.length // 3
        both.length -= colours.length
        return whole([both, colours])

    buffer.Plane = whole.Plane  # type: ignore[attr-defined]
    return buffer


DEEP = {"RGB888": 3, "YUV420": 1}  # bytes per pixel in a row


def _array(_helpers: Any, buffer: Any, config: dict[str, Any]) -> Any:
    (width, height), size = config["size"], config["framesize"]
    frame = np.asarray(buffer).reshape(-1)[:size].reshape(height * 3 // 2, -1)[:, :width]
    if config["format"] == "RGB888":
        return cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_NV12)
    colours = frame[height:].reshape(-1, 2).T.reshape(height // 2, width)
    return np.concatenate([frame[:height], colours])
