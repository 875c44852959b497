"""Events of an evening as received by a stream, a webhook and the broker."""

import json
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.firmware.integrations.house_broker import HouseBroker

NEWS_TIMEOUT = 120.0  # seconds before an event counts as lost
NEVER, QUIET = -1, 1.0
"""A number no moment has; seconds of silence after the match before listening ends."""


class ReceivedEvents:
    """The events received by one listener, in order, and its newest moment."""

    def __init__(self) -> None:
        self._told = Queue[tuple[str, Any]]()
        self._lines: list[str] = []

    def hear(self, where: str, value: Any) -> None:
        self._told.put((where, value))

    def wait_for(self, moment: int, patience: float = NEWS_TIMEOUT) -> None:
        told = None
        while told != moment:
            where, value = self._told.get(timeout=patience)
            self._lines.append(
                " ".join(part for part in (where, json.dumps(value, ensure_ascii=False)) if part)
            )
            told = value.get("moment") if isinstance(value, dict) else None

    def drain(self) -> str:
        """Yield lines until the stream is silent. A slow listener may miss moments."""
        with suppress(Empty):
            self.wait_for(NEVER, QUIET)
        return self.take()

    def take(self) -> str:
        lines, self._lines = self._lines, []
        return "".join(f"{line}\n" for line in lines)


class Stream(ReceivedEvents):
    """The public event stream."""

    def __init__(self, port: int) -> None:
        super().__init__()
        line = HTTPConnection("127.0.0.1", port, timeout=NEWS_TIMEOUT)
        line.request("GET", "/events/table", headers={"Accept-Language": "en"})
        self._answer = line.getresponse()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event = ""
        for line in self._answer:
            name, _colon, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "moment":
                self.hear("", json.loads(value))


class Address(ReceivedEvents):
    """A webhook that receives moments, and replies as configured."""

    def __init__(self, ends: ExitStack, path: str = "/told") -> None:
        super().__init__()
        self.posts = list[tuple[str, Any]]()
        self.code, self.let_go = 204, Event()
        self.let_go.set()
        heard = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                heard.hear(self.path, told)
                heard.posts.append((self.path, told))
                heard.let_go.wait(NEWS_TIMEOUT)
                self.send_response(heard.code)
                if heard.code == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_told: object) -> None:
                """Log nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        for end in (server.server_close, server.shutdown, self.let_go.set):
            ends.callback(end)
        self.address = f"http://127.0.0.1:{server.server_port}{path}"


class Broker(ReceivedEvents):
    """A real broker, and a client that subscribes to all its topics."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        super().__init__()
        self._kept, subscribed, broker = dict[str, str](), Event(), HouseBroker(folder)
        broker.start()
        ends.callback(broker.kill)
        self.port = broker.port
        client = Client(CallbackAPIVersion.VERSION2)
        client.on_message = self._hear_message
        client.on_connect = lambda *_told: client.subscribe("coyote-table/#", qos=1)
        client.on_subscribe = lambda *_told: subscribed.set()
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        ends.callback(client.loop_stop)
        assert subscribed.wait(NEWS_TIMEOUT)

    def _hear_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        text = message.payload.decode()
        # the number of repeated first messages depends on when the broker was reached
        if self._kept.get(message.topic) != text:
            self._kept[message.topic] = text
            self.hear(message.topic, json.loads(text) if text.startswith("{") else text)
