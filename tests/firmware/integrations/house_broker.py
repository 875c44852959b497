"""A home's MQTT broker: a real Mosquitto in a separate process."""

import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from shutil import which

from tests.firmware.start.whole_table import free_port
from tests.given import present
from tests.waiting import until

MOSQUITTO = which("mosquitto") or which("mosquitto", path="/usr/sbin:/usr/local/sbin")


class HouseBroker:
    """A broker without access control, unless configured otherwise."""

    def __init__(self, folder: Path) -> None:
        self._file, self._running, self.port = folder / "mosquitto.conf", None, free_port()
        self.configure("allow_anonymous true")

    def configure(self, *lines: str) -> None:
        text = "\n".join((f"listener {self.port} 127.0.0.1", "persistence false", "user root", *lines, ""))
        self._file.write_text(text, encoding="utf-8")

    def start(self) -> None:
        command = (present(MOSQUITTO), "-c", str(self._file))
        self._running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._can_connect)

    def _can_connect(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def kill(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._running = None
