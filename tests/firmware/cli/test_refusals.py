"""A faulty command gets one line that names the fault, writes nothing and doesn't exit with 0."""

from functools import cache
from pathlib import Path
from threading import Event

import cv2
import pytest

from firmware.cli import cameras, new_game
from hardware.twin.rendering.renderer import faces_of
from referee.games.catalogue import GAMES, ORIGINALS
from tests.firmware.conftest import Coyote
from tests.given import altered
from vision.table.camera import CameraTroubleError

WRONG = """
table board seven # there is no profile seven; there are: fab,
count # EDITION
count gigamic -- '?' 10 --drawn 5 # options come before --
count gigamic '?' 20 --drawn 20 # card 20
count gigamic 0 0 # card 0 (night)
count kidult # CARD
count kidult '' # no card
count kidult '?' 10 --drawn '?' # draws a card
count kidult '?' 10 5 # --drawn
count kidult 10 5 --drawn 3 # --drawn needs a ?
count kidult 20 20 # coyote-kidult has 1 of card 20, not 2
count kidult 3 --jsn # --jsn isn't a card
count kidult 7 # no card “7”
count kidult foo --any # no card “foo”
cards check tarot # tarot
cards show coup -o {there}/coup.html # coup
cards show {there}/broken -o {there}/broken.html # deck.json
cards pictures {there}/file/below # file
forget #
forget --evening yesterday #
forget Ana --evening 2026-11-21 #
table image {there} #
table image {there}/nowhere #
table image {there}/card --board nonsense # nonsense
table image {there}/card --hostname -x #
table image {there}/card --hostname 'a;reboot' #
table image {there}/card --timezone Paris # Paris
table image {there}/card --wifi Home # country
table image {there}/card --wifi Home --country France # country
table image {there}/card --wifi Home --country XX # country
table image {there}/card --wifi Home --country 12 # country
table image {there}/card --wifi \udcff\udcfe --country FR #
play --seats A,B,C,D,E,F,G # 2 to 6 can play this, not 7.
play --seats Ana # 2 to 6 can play this, not 1.
play --seats Ana,,Bo # needs a name
play --seats Ana,Back # Back is a command here
play --seats Ana,BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB # needs a name
play --seats Ana,ana # that no other has, not “Ana”
play coup --seats Ana,Bo --house window_seconds=0 # the clock can be set to 1 to 120 seconds
play coyote --seats Ana,Bo --edition kidult --house edition=gigamic # edition is given twice
play coyote --seats Ana,Bo --house limit # key=value
play coyote --seats Ana,Bo --house limit=9 # limit can't be “9”. Possible values: 3, 4, 5.
play coyote --seats Ana,Bo --house limt=4 # no house rule “limt”
play poker # poker
print deck -o {there}/x.pdf # NAME
print deck coup # -o
print deck coup --mark z -o {there}/x.pdf # z
print deck coup --paper a5 -o {there}/x.pdf # a5
print deck coup -o {there}/nowhere/x.pdf # nowhere
print deck coup -o {there}/x.png # name it .pdf
print deck tarot -o {there}/x.pdf # tarot
print markers -o '' #
print markers -o {there}/x.png # name it .pdf
print mat -o {there}/x.png # name it .pdf
print tokens -o {there}/x.png # name it .pdf
print wiring --profile seven # fab, two
cards read {there}/scans/7h.png --deck tarot # tarot
record evening yesterday # yesterday isn't a day: write it as 2026-11-30
record evening 2026-11-31 # write it as 2026-11-30
record list # no journal yet
record replay {there}/empty #
record replay {there}/file #
record replay {there}/nowhere # nowhere
record replay {there}/scans/7h.png # line 1
record save # no journal yet
record save 99999999999999999999 #
cards teach ../mine --from {there}/scans # mine
cards learn .. x.png #
cards learn coup x.png #
cards learn mine x.png --card 63 #
cards learn mine x.png --faces {there}/names.txt # four
cards learn mine x.png --faces {there}/nowhere # nowhere
cards learn mine x.png --like coup --faces {there}/names.txt # either a deck with --like
cards teach mine # table learns a new box while you play
cards teach coup --from {there}/scans # no card “7h”, but duke, assassin,
cards teach mine --camera pi --from x # --camera
cards teach mine --from {there}/empty # empty
cards teach mine --rows --from {there}/empty # spades.jpg, hearts.jpg, diamonds.jpg and clubs.jpg
cards teach mine --from {there}/nowhere # nowhere
cards teach mine --from {there}/scans --card 2x9000 # 2x9000
cards teach mine --from {there}/scans --face 12 #
cards teach mine --from {there}/scans --margin nan # nan
cards teach mine --from {there}/scans --into {there}/file/x # file
cards teach mine --from {there}/scans --like piquet #
table calibrate #
table calibrate --camera webcam # webcam
table calibrate {there}/scans/7h.png --deck coyote-gigamic --seat-1 1;1 #
table calibrate {there}/scans/7h.png --deck coyote-gigamic --seat-1 9000,1 #
table calibrate {there}/scans/7h.png --deck nowhere #
table calibrate {there}/x.png --camera pi #
"""


@cache
def scan() -> bytes:
    picture = cv2.resize(faces_of("piquet")("7h"), (252, 352), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".png", picture)[1].tobytes()


def files_in(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("wrong", WRONG.strip().splitlines())
def test_fault_gets_one_line(coyote: Coyote, tmp_path: Path, wrong: str) -> None:
    there = tmp_path / "there"
    card = {f"card/{name}": b"# before" for name in ("config.txt", "cmdline.txt", "meta-data", "user-data")}
    for name, content in {
        "scans/7h.png": scan(),
        "file": b"",
        "names.txt": b"7h,four",
        "broken/deck.json": b"{",
        **card,
    }.items():
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_bytes(content)
    (there / "empty").mkdir()
    before = files_in(there)
    line, _mark, named = wrong.partition(" #")
    result = coyote(line.format(there=there), "s3cret-enough\n")
    assert result.code in {1, 2}
    assert (result.out, result.err.count("\n")) == ("", 1)
    assert result.err.startswith("coyote: ")
    assert named.strip() in result.err
    assert files_in(there) == before


@pytest.mark.parametrize(
    ("camera", "key", "shown"),
    [("usb:0", "too slow", "usb:0"), ("http://cam/live", "stream slow", "http://cam/…")],
)
def test_no_command_waits_forever_for_hanging_camera(
    monkeypatch: pytest.MonkeyPatch, camera: str, key: str, shown: str
) -> None:
    answered = Event()
    monkeypatch.setattr(cameras, "LONGEST", 0.01)
    with pytest.raises(CameraTroubleError) as raised:
        cameras.in_time(answered.wait, camera)
    assert (raised.value.problem.key, raised.value.problem.values["camera"]) == (key, shown)
    answered.set()
    monkeypatch.undo()
    assert cameras.in_time(answered.wait, camera)


@pytest.mark.parametrize("line", ["table board", "table calibrate"])
def test_error_in_settings_gets_one_line_that_names_it(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    (tmp_path / "coyote.toml").write_text('[camera]\nnaame = "pi"\n')
    result = coyote(line)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    assert "coyote.toml" in result.err
    assert "camera.naame" in result.err


def test_check_of_an_endless_game_ends(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_game, "LONGEST", 0.1)
    monkeypatch.setitem(ORIGINALS, "coup", altered(GAMES["coup"], hear=lambda *_given: Event().wait()))
    result = coyote("develop check-game coup")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("coyote: coup takes more than 0.1 seconds in `")
