"""Write a release's fixtures with its code: `python -m tests.compatibility.writing tests/fixtures/v1.0.0`.

Compatibility begins with 1.0.0. The folder of a published release never changes; a later version gets its own.
Two runs differ only in the identifier of the journal's table.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace

from firmware.start.games import hand_in_games
from firmware.storage.access_point import WIFI_ACCESS, WifiAccess
from firmware.storage.backups.archive import TablePlaces, backup
from firmware.storage.club import MEMBERSHIP, OUTBOX, Membership, Outbox, WaitingCall
from firmware.storage.configuration import LOUDSPEAKER, ChosenLoudspeaker, HostChoice, keep
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from firmware.storage.match_marks import FORGOTTEN_MARKS, keep_pause, mark_of, note_beginning
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.wired_board import KEPT_BUTTONS, KEPT_FAULTS, WIRED_BOARD, BoardFaults, WiredBoard
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox, UsbButton
from hardware.twin.dealer import deal_match
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import Entry, Match, Setup, begin, hear
from referee.record import record_lines
from tests.compatibility.described import describe_deck, describe_match, list_rulings
from tests.firmware.playing import any_entry
from tests.given import allowed
from tests.hardware.twin.matches import moments_by_bots
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading, Sighting
from vision.table.calibration import Calibration
from vision.teaching.kept_cuts import CutCard, without_ground
from vision.teaching.taught_decks import TaughtDeck, load_deck, save_deck

NAMES = ("Ana", "Bo", "Chloé", "Дарья", "恵美", "Finn")
PLAYED = {
    "coyote": {"kidult": 3, "gigamic": 3, "oliphante": 3},
    "coup": {"rule text": 3},
    "coup-d-etat": {"rule text": 3},
    "plenty-coups": {"rule text": 2},
    "ogallala": {"rule text": 2},
}
"""The settings that are played to their end, with the number of players."""
UNDATED, SEEDS = "ogallala", 12
"""The game whose match has no start time; the shortest of this many matches is used."""
MADE = "2026-03-01T23:00:00+01:00"
CONFIGURATION = """# Our table in the kitchen.
[camera]
name = "usb:0"

[sound]
volume = 60

[play]
game = "coyote"
seats = ["Ana", "Bo", "Chloé", "Дарья"]

[play.house]
edition = "kidult"
powers = "all"
"""
TABLE = Calibration(
    plane=((2.0, 0.0, 800.0), (0.0, 2.0, 600.0), (0.0, 0.0, 1.0)),
    size=(1600, 1200),
    white=(1.0, 1.0, 1.0),
    light=0.5,
    markers={},
)
CARD = Sighting("10", True, 0.97, (), ((5.0, 5.0), (50.0, 5.0), (50.0, 70.0), (5.0, 70.0)), "up", 1.0)


def write(folder: Path) -> None:
    """Write match files and their results into a folder; table and backup go into a zip beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    for each in (folder / "matches", folder / "expected"):
        each.mkdir(parents=True)
    with TemporaryDirectory() as made:
        table = Path(made)
        _write_table(table, folder)
        with ZipFile(folder.with_name(f"{folder.name}.zip"), "w", ZIP_DEFLATED) as packed:
            for path in sorted(path for path in table.rglob("*") if path.is_file() and path.suffix != ".lock"):
                packed.writestr(ZipInfo(str(path.relative_to(table))), path.read_bytes(), ZIP_DEFLATED, 9)


def _write_table(table: Path, folder: Path) -> None:
    here = TablePlaces(
        table / "state", table / "state" / "journal.sqlite3", table / "configuration" / "coyote.toml"
    )
    for each in (here.state, here.configuration.parent):
        each.mkdir()
    here.configuration.write_text(CONFIGURATION, encoding="utf-8")
    matches = [*_ended_matches(), _running_match()]
    with open_journal(here.journal) as opened:
        numbers = [opened.journal.begin(match) for match in matches]
    _write_state(here.state, numbers[-1], matches[-1])
    _write_deck(here.state / "decks/kitchen")
    OUTBOX.keep(here.journal, Outbox("0123456789abcdef", 7, 2, (WaitingCall("c1", "{}"),)))
    History(here.journal).all()
    (table / "backup.zip").write_bytes(b"".join(backup(here, MADE)))
    for number, match in zip(numbers, matches, strict=True):
        lines = "".join(f"{line}\n" for line in record_lines(match))
        (folder / "matches" / f"{number:02}.jsonl").write_text(lines, encoding="utf-8")
        said = msgspec.json.encode({**describe_match(match), "rulings": list_rulings(match)})
        (folder / "expected" / f"{number:02}.json").write_bytes(said + b"\n")
    decks = {"decks/kitchen": describe_deck(load_deck(here.state / "decks/kitchen"))}
    (folder / "expected" / "decks.json").write_bytes(msgspec.json.format(msgspec.json.encode(decks), indent=1))


def _ended_matches() -> Iterator[Match]:
    for name, settings in PLAYED.items():
        for setting, seats in settings.items():
            game = GAMES[name]
            begun = "" if name == UNDATED else f"2026-01-10T19:{len(name):02}:{len(setting):02}+01:00"
            setup = Setup(game, game.rules.settings[setting], NAMES[:seats], begun=begun)
            yield min((_by_bots(setup, seed) for seed in range(SEEDS)), key=lambda match: match.number)


def _by_bots(setup: Setup, seed: int) -> Match:
    rng = Random(f"{setup.game.name} {seed}")
    *_before, (last, answer) = moments_by_bots(deal_match(allowed(begin(setup)), rng), rng)
    return allowed(hear(last.match, answer))


def _running_match() -> Match:
    """Play a match of Coyote for 40 lines, by all inputs, with answers taken back and corrected."""
    game, rng = GAMES["coyote"], Random("running")
    match = allowed(begin(Setup(game, game.rules.house(), NAMES[:4], begun="2026-01-11T20:15:00.000789+01:00")))
    while match.number < 40 or match.asks[0].key != "announce":
        after = hear(match, _by_any_input(any_entry(match, rng), match.number))
        match = after if isinstance(after, Match) and after.asks else match
    return match


def _by_any_input(entry: Entry, number: int) -> Entry:
    if not isinstance(entry, Answer):
        return entry
    inputs = ("button", "phone", "camera", "keyboard")
    return replace(
        entry, sense=inputs[number % 4], at=f"2026-01-11T20:{15 + number // 10}:{number % 10:02}+01:00"
    )


def _write_state(state: Path, running: int, match: Match) -> None:
    keep(HostChoice("fr", sound={"volume": 35}), state)
    LOUDSPEAKER.keep(state, ChosenLoudspeaker("Headphones"))
    WIFI_ACCESS.keep(state, WifiAccess("Coyote", "a password"))
    MEMBERSHIP.keep(state, Membership("kitchen", "Kitchen", "Café", "club.local", 8883, "0123456789abcdef"))
    WIRED_BOARD.keep(state, WiredBoard("fab", "confirmed"))
    KEPT_FAULTS.keep(state, BoardFaults("fab", (Key("call", 2),), (Lamp("red", 0),)))
    KEPT_BUTTONS.keep(state, (UsbButton(UsbBox("Encoder", "usb-1/input0"), 288, 0),))
    (state / "deal.secret").write_bytes(bytes(range(32)))
    assert deal_secret(state) == bytes(range(32))
    FORGOTTEN_MARKS.keep(state, (mark_of("2026-01-09T20:00:00+01:00"),))
    keep_pause(state, match, is_paused=True)
    note_beginning(state, running, match.setup.begun)
    (state / "links.json").write_bytes(msgspec.json.encode(_evening(match)))
    (state / "table.json").write_bytes(msgspec.json.encode(TABLE))
    picture = np.full((88, 63, 3), 90, np.uint8)
    cv2.imwrite(str(state / "table.png"), picture)
    _is_written, jpeg = cv2.imencode(".jpg", picture)
    keep_evidence(state / "evidence", jpeg.tobytes(), Sidecar(f"{running}", 12, Reading((CARD,))))


def _evening(match: Match) -> Evening:
    """Admit Ana, Bo, the host and a screen; Chloé's request is pending."""
    evening = Evening("the secret of the table", "12345678")
    codes = tuple(f"CODE{letter}AA" for letter in "ABCD")
    evening = evenings.sit_down(evening, match, codes)
    for seat, token in enumerate(("phone-of-ana", "phone-of-bo")):
        evening = evenings.join_seat(evening, seat, Device(token, "iPhone", 60.0), f"NEWER{'AB'[seat]}A")
    evening = evenings.admit_host(evening, Device("phone-of-the-host", "Android", 30.0))
    evening = evenings.ask_screen(evening, Device("the-screen", "Linux", 10.0))
    return replace(evenings.confirm_screen(evening, "the-screen", 20.0), ran=120.0, has_sound=True)


def _write_deck(folder: Path) -> None:
    faces = {"Qs": 1, "Kh": 2}
    cards = {face: (_card(number),) for number, face in enumerate(faces, 13)}
    save_deck(TaughtDeck(folder.name, (63.0, 88.0), faces, cards), folder)


def _card(seed: int) -> CutCard:
    """Draw blocks of colour, which compress well as PNG."""
    blocks = np.random.default_rng(seed).integers(0, 256, (11, 9, 3), np.uint8)
    picture = np.asarray(np.kron(blocks, np.ones((8, 7, 1), np.uint8)), np.uint8)
    return CutCard(picture, without_ground(picture))


if __name__ == "__main__":
    hand_in_games()
    write(Path(sys.argv[1]))
