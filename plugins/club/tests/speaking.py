"""Many tables as tasks of one thread, with the subset of MQTT 3.1.1 that a table uses."""

import asyncio
import struct
from itertools import count
from random import Random
from time import perf_counter
from typing import NamedTuple

import msgspec

from firmware.integrations.club_messages import ClubAck, ClubLine, ClubLines, hash_of, topic
from firmware.storage.club import Membership

AGAIN = 4.0  # seconds before a line is sent again
ANSWER_TIMEOUT = 120.0  # seconds after the end of a trial before an answer counts as lost


class Answered(NamedTuple):
    """The time a line was sent, and the seconds until its acknowledgement."""

    at: float
    seconds: float


def packet(kind: int, body: bytes) -> bytes:
    length, left = b"", len(body)
    while True:
        left, digit = divmod(left, 128)[0], left % 128
        length += bytes([digit | 128 if left else digit])
        if not left:
            return bytes([kind]) + length + body


def text(told: str) -> bytes:
    return struct.pack("!H", len(told.encode())) + told.encode()


class MqttTable:
    """A table's connection."""

    def __init__(self, table: str) -> None:
        self.table, self._number = table, 0
        self._acks = asyncio.Queue[ClubAck]()
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def connect(self, port: int, key: str, seconds: int = 120) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        said = text("MQTT") + bytes([4, 0b11000010]) + struct.pack("!H", seconds)
        self.writer.write(packet(0x10, said + text(f"task-{self.table}") + text(self.table) + text(key)))
        kind, body = await self.hear()
        if kind != 0x20 or body[1]:
            raise ConnectionError(f"not let in: {body!r}")
        self.writer.write(packet(0x82, struct.pack("!H", 1) + text(topic(self.table, "ack")) + b"\1"))
        await self.hear()
        self._ear = asyncio.create_task(self._hear_acks())

    async def hear(self) -> tuple[int, bytes]:
        kind = (await self.reader.readexactly(1))[0]
        length = shift = 0
        while True:
            digit = (await self.reader.readexactly(1))[0]
            length |= (digit & 127) << shift
            shift += 7
            if not digit & 128:
                break
        return kind, await self.reader.readexactly(length)

    def say(self, what: str, payload: bytes, quality: int = 1) -> None:
        self._number = self._number % 65535 + 1
        number = struct.pack("!H", self._number) if quality else b""
        self.writer.write(
            packet(0x30 | quality << 1, text(f"coyote-club/1/{self.table}/{what}") + number + payload)
        )

    async def _hear_acks(self) -> None:
        while True:
            try:
                kind, body = await self.hear()
            except (asyncio.IncompleteReadError, ConnectionError):
                return
            if kind & 0xF0 != 0x30:
                continue
            length = struct.unpack("!H", body[:2])[0]
            if kind & 0x06:
                self.writer.write(packet(0x40, body[2 + length : 4 + length]))
                body = body[: 2 + length] + body[4 + length :]
            self._acks.put_nowait(msgspec.json.decode(body[2 + length :], type=ClubAck))

    async def deliver(
        self, bodies: list[str], match: int, epoch: str, between: float, until: float
    ) -> list[Answered]:
        """Send a match line by line at an interval; return the latency of each acknowledgement."""
        took = list[Answered]()
        for number, body in enumerate(bodies):
            if perf_counter() > until:
                break
            line = ClubLines(epoch, [ClubLine(match, number, hash_of(number, body), body)])
            began, told = perf_counter(), msgspec.json.encode(line)
            self.say("lines", told)
            while not await self._is_acked(match, number):
                if perf_counter() > until + ANSWER_TIMEOUT:
                    raise TimeoutError(f"{self.table}: line {number} of match {match} was never acknowledged")
                # like a table
                self.say("lines", told)
            took.append(Answered(began, perf_counter() - began))
            await asyncio.sleep(max(0.0, between - took[-1].seconds))
        return took

    async def _is_acked(self, match: int, number: int) -> bool:
        """Wait for the acknowledgement of a line; return False at a timeout."""
        try:
            async with asyncio.timeout(AGAIN):
                while True:
                    ack = await self._acks.get()
                    if any(each.match == match and each.lines > number for each in ack.matches):
                        return True
        except TimeoutError:
            return False


async def play_on(
    speaker: MqttTable, matches: list[list[str]], between: float, end: float, seed: int
) -> list[Answered]:
    """Send matches until a time, starting at a random moment of the first interval."""
    rng, took = Random(seed), list[Answered]()
    epoch = rng.randbytes(16).hex()
    await asyncio.sleep(rng.uniform(0, between))
    for match in count(1):
        if perf_counter() > end:
            break
        took += await speaker.deliver(rng.choice(matches), match, epoch, between, end)
    return took


async def connect_all(memberships: list[Membership]) -> list[MqttTable]:
    speakers = [MqttTable(each.table) for each in memberships]
    for speaker, each in zip(speakers, memberships, strict=True):
        await speaker.connect(each.port, each.key)
    return speakers


def can_connect(mine: Membership) -> bool:
    async def try_it() -> bool:
        speaker = MqttTable(mine.table)
        try:
            await speaker.connect(mine.port, mine.key)
        except (OSError, asyncio.IncompleteReadError):
            return False
        speaker.writer.close()
        return True

    return asyncio.run(try_it())
