"""Benches: what is summed up, and that a fault would be seen; whole benches at a release."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.board_events import DialState
from hardware.board.board import Key
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from tests.bench import phones
from tests.bench.__main__ import bench
from tests.bench.cameras import accuracy_of
from tests.bench.evening import MatchRecord, TakenAnswer, rare_in
from tests.bench.film import count_rulings, film_file, live_figures, long_match
from tests.bench.idle import CAMERA, PI_4, _cost, _lay_table, watch_still_table
from tests.bench.page import (
    BEGIN,
    END,
    NAMES,
    OLDER,
    PAGE,
    Section,
    page_with,
    parts_of,
    read_sections,
    this_version,
)
from tests.firmware.board.senses.matches import bidden, open_round
from tests.firmware.start.crowd import is_whole
from tests.firmware.twin.deft_fingers import can_dial, dial_act, press_for
from tests.long.fingers import Deed, Deeds
from tests.tiers import release, slow
from tests.vision.counting import Stated, all_reliability, best_face
from tests.vision.rendered_tables import EXPOSURES, apart_under, heights_to_try, scene_under
from vision.sightings import RunnerUp, Sighting
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL

CARDS = 8
SMALLER = tuple((name, SMALL.share, 2000) for name in ("imx708", "imx708_wide"))


def run(line: str) -> Result:
    return CliRunner().invoke(bench, line.split())


whole_bench = release("a bench measures, and takes long; a commit needs its sums alone")


@whole_bench
@pytest.mark.parametrize(
    ("name", "share", "seed"), [*((name, 1.0, 1000 + 3 * at) for at, name in enumerate(CAMERAS)), *SMALLER]
)
def test_a_camera_reads_cards_everywhere_on_the_table(name: str, share: float, seed: int) -> None:
    """At the greatest height cards have the fewest pixels, and a short exposure has the most noise."""
    optics = CAMERAS[name] if share == 1.0 else made_smaller(CAMERAS[name], share)
    found = accuracy_of(optics, heights_to_try(optics)[-1], "33 ms", range(seed, seed + 1), CARDS)
    assert (found["not_found"], found["cards"], found["wrong"]) == (0, CARDS, 0)
    # one may lie on a printed line or in glare: it is to be moved, which is said
    assert found["right"] >= CARDS - 1


def test_on_a_small_table_lie_as_many_cards_as_have_room() -> None:
    for optics in CAMERAS.values():
        scene = scene_under(optics, apart_under(optics), 800.0, EXPOSURES["33 ms"], ("20",) * 15, 1)
        assert 0 < len(scene.cards) <= 15


def test_what_an_evening_comes_to_is_spread_over_its_rounds() -> None:
    answers = (
        TakenAnswer("camera", "camera"),
        TakenAnswer("phone", "camera"),
        TakenAnswer("phone", "button"),
        # what only a phone can say stands for no other sense
        TakenAnswer("phone", "phone"),
        TakenAnswer("clock", "phone"),
    )
    played = MatchRecord("coup", 3, answers, ("unsure", "old cards", "hand stays"), 1), MatchRecord("coup", 1)
    assert rare_in(played) == (0.5, 0.5, 0.25)


def test_in_an_evening_a_call_is_pressed_and_a_number_is_dialled() -> None:
    match, said = open_round(), bidden(5)
    number = Answer(match.number, match.asks[0].key, 5, 0)
    assert press_for(match, number, 6) is None
    assert can_dial(match, number)
    assert dial_act(match, DialState(), number) == 5
    assert press_for(said, Answer(said.number, "turn", Option("coyote"), 1), 6) == (Key("call", 1), "short")


def test_cards_that_are_laid_anew_are_waited_for_since_they_first_lay_there() -> None:
    match, deeds = open_round(), Deeds()
    ask = match.asks[0].key
    for value, at in (("20", 1.0), ("15", 5.0)):
        deeds.note(Deed(match.number, ask, None, (value,), "camera", at))
    assert [len(deeds.overdue(match, at, patience=15.0)) for at in (10.0, 17.0, 18.0)] == [0, 1, 0]
    taken = [deeds.take(Answer(match.number, ask, ("15",), None, "camera")) for _time in range(2)]
    assert [each and (each.at, each.value) for each in taken] == [(1.0, ("15",)), None]


@whole_bench
def test_an_evening_goes_on_without_a_phone() -> None:
    said = run("evening --games coyote --minutes 0.05 --mishaps 0")
    assert said.exit_code == 0, said.output
    assert "coyote, a round: a phone instead, a card to move, the host: 0.0, 0.0, 0.0\n" in said.stdout
    assert run("evening --games coyote,whist").exit_code == 2


@whole_bench
def test_coins_that_lie_alone_are_counted() -> None:
    said = run("pieces --tables 1")
    assert said.exit_code == 0, said.output
    told = [line.split(", ")[2] for line in said.stdout.splitlines() if "right, wrong" in line]
    assert {wrong.split()[0] for wrong in told} == {"0"}


@whole_bench
def test_films_and_live_pictures_are_as_light_as_is_promised() -> None:
    match = long_match(GAMES["coyote"], 40, 3)
    assert count_rulings(match) >= 40
    assert 0 < len(film_file(match)) < 1_000_000
    assert 10_000 < live_figures(match).second < 100_000


@whole_bench
def test_eyes_come_to_rest_on_a_table_that_is_noisy_in_bad_light(tmp_path: Path) -> None:
    _lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share))
    watch_still_table(str(tmp_path), "1")


def test_a_cost_is_what_the_longer_run_took_more() -> None:
    cost = _cost("eyes", (7_000_000, 7_000_000 + round(PI_4)), 20.0)
    assert (cost.millions, cost.percent) == (75.0, 5.0)


@whole_bench
def test_moments_and_pages_are_timed_on_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in (("BARE_ROUNDS", 3), ("ALONE", 0.5), ("PACE", 0.3), ("LATE", 1.0)):
        monkeypatch.setattr(phones, name, small)
    said = run("phones --phones 9 --minutes 0.05")
    assert said.exit_code == 0, said.output
    assert said.stdout.count(" times\n") == 2


def test_a_page_is_whole_with_its_last_byte() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
    assert [is_whole(head + body) for body in (b"abc", b"ab")] == [True, False]


def test_what_was_stated_stands_beside_what_held() -> None:
    rows = all_reliability({"coup": [Stated(0.992, True), Stated(0.993, False), Stated(0.7, True)]})
    assert [(row.least, row.names, row.right) for row in rows] == [(0.5, 1, 1), (0.99, 2, 1)]
    outline = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    for name, runners, best in (("8", ("9",), "8"), (None, ("9", "8"), "9"), (None, (), None)):
        beside = tuple(RunnerUp(each, 0.9 - at) for at, each in enumerate(runners))
        assert best_face(Sighting(name, name is not None, 0.9, beside, outline, "up", 1.0)) == best


def test_figures_of_benches_stand_on_a_page_each_with_when_and_where_it_was_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bench that isn't run keeps what it has, marked where that is older than the release."""
    page = tmp_path / "measured.md"
    old = Section(
        "Rules.", "2026-05-01", "0.1.0", "x86_64, 4 cores, Python 3.11.7", "0.2", {"coup": "80 of 80"}
    )
    page.write_text(page_with(f"# Measured\n\n{BEGIN}{END}\n\n## By hand\n", "rules", old), encoding="utf-8")
    monkeypatch.setattr("tests.bench.page.PAGE", page)
    monkeypatch.setattr("tests.bench.idle.shutil.which", lambda _name: None)
    # what is counted on rendered tables is a release's
    monkeypatch.setattr("tests.bench.pieces.PIECE_LAYOUTS", ("alone",))
    monkeypatch.setattr("tests.bench.pieces.LEVELS", ("L0",))
    monkeypatch.setattr("tests.bench.pieces._verdict", lambda *_where: "right")
    said = run("all idle pieces --write")
    assert said.exit_code == 0, said.output
    assert "idle wasn't measured, its figures stay: valgrind counts the instructions" in said.stderr
    head, written, foot = parts_of(page.read_text(encoding="utf-8"))
    assert (head, foot) == ("# Measured\n\n", "\n\n## By hand\n")
    sections = read_sections(written)
    assert (list(sections), sections["rules"]) == (["pieces", "rules"], old)
    assert sections["pieces"].version == this_version()
    assert sections["pieces"].ratios["alone: right, wrong"] == "100.0 %, 0 of 8"
    assert written.count(OLDER) == 1
    assert written.index(OLDER) > written.index("### rules")


def test_the_page_of_figures_can_be_read_and_written_as_it_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sections = read_sections(parts_of(page)[1])
    assert set(sections) == set(NAMES)
    for name, section in sections.items():
        assert page_with(page, name, section) == page


@slow("each house rule is played for a while")
def test_bench_prints_what_it_measured_and_that_the_other_engine_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.bench.referee.GAMES", {name: GAMES[name] for name in ("coyote", "coup")})
    told = dict(line.split(": ") for line in run("referee --seconds 0.05").stdout.splitlines())
    assert {"coyote, kidult", "coyote, gigamic", "coyote, oliphante, all powers"} <= told.keys()
    assert all(float(figure.split()[0]) > 0 for figure in told.values())
    assert "coup, for each decision of coupml's" in told
    monkeypatch.setitem(sys.modules, "coupml", None)
    monkeypatch.setattr("tests.bench.referee.GAMES", {"coup": GAMES["coup"]})
    out = run("referee --seconds 0.05").stdout
    assert "Coup against coupml: not measured, because coupml isn't installed here\n" in out
