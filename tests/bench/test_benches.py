"""Benchmarks: their summaries and fault detection; whole benchmarks for a release."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.contract import Judgement, Kind, Option
from referee.contract.asks import Value
from referee.games.catalogue import GAMES
from referee.games.coyote.rules import COYOTE
from tests.bench import phones
from tests.bench.__main__ import bench
from tests.bench.advice import Advice, _figures, gain_of_number
from tests.bench.cameras import accuracy_of
from tests.bench.film import count_rulings, film_file, long_match
from tests.bench.idle import CAMERA, _cost, _lay_table, watch_still_table
from tests.bench.instructions import PI_4
from tests.bench.laid import LAID, do_part
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
    section_text,
    this_version,
)
from tests.firmware.start.crowd import is_whole
from tests.referee.games.coyote.script import sit_down
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
def test_camera_reads_cards_all_over_the_table(name: str, share: float, seed: int) -> None:
    """At the greatest height cards have the fewest pixels, and a short exposure has the most noise."""
    optics = CAMERAS[name] if share == 1.0 else made_smaller(CAMERAS[name], share)
    found = accuracy_of(optics, heights_to_try(optics)[-1], "33 ms", range(seed, seed + 1), CARDS)
    assert (found["not_found"], found["cards"], found["wrong"]) == (0, CARDS, 0)
    # one may be on a printed line or in glare; people are asked to move it
    assert found["right"] >= CARDS - 1


def test_small_table_holds_as_many_cards_as_fit() -> None:
    for optics in CAMERAS.values():
        scene = scene_under(optics, apart_under(optics), 800.0, EXPOSURES["33 ms"], ("20",) * 15, 1)
        assert 0 < len(scene.cards) <= 15


@whole_bench
def test_film_files_stay_within_their_size_limit() -> None:
    match = long_match(GAMES["coyote"], 40, 3)
    assert count_rulings(match) >= 40
    assert 0 < len(film_file(match)) < 1_000_000


@whole_bench
def test_vision_settles_on_a_noisy_picture(tmp_path: Path) -> None:
    _lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share))
    watch_still_table(str(tmp_path), "1")


@whole_bench
@pytest.mark.parametrize("cards", LAID)
def test_cards_laid_at_once_are_all_read(tmp_path: Path, cards: int) -> None:
    _lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share), cards)
    do_part(str(tmp_path), str(cards))


def test_cost_is_the_difference_between_two_runs() -> None:
    cost = _cost("eyes", (7_000_000, 7_000_000 + round(PI_4)), 20.0)
    assert (cost.millions, cost.percent) == (75.0, 5.0)


@whole_bench
def test_moments_and_pages_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in (("BARE_ROUNDS", 3), ("ALONE", 0.5), ("PACE", 0.3), ("LATE", 1.0)):
        monkeypatch.setattr(phones, name, small)
    result = run("phones --phones 9 --minutes 0.05")
    assert result.exit_code == 0, result.output
    assert result.stdout.count(" times\n") == 2


def test_page_is_complete_with_its_last_byte() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
    assert [is_whole(head + body) for body in (b"abc", b"ab")] == [True, False]


def test_reliability_compares_stated_and_observed_certainty() -> None:
    rows = all_reliability({"coup": [Stated(0.992, True), Stated(0.993, False), Stated(0.7, True)]})
    assert [(row.least, row.names, row.right) for row in rows] == [(0.5, 1, 1), (0.99, 2, 1)]
    outline = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    for name, runners, best in (("8", ("9",), "8"), (None, ("9", "8"), "9"), (None, (), None)):
        beside = tuple(RunnerUp(each, 0.9 - at) for at, each in enumerate(runners))
        assert best_face(Sighting(name, name is not None, 0.9, beside, outline, "up", 1.0)) == best


def test_benchmark_page_shows_date_and_machine_of_each_figure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A skipped benchmark retains its section, marked if it is older than the release."""
    page = tmp_path / "measured.md"
    old = Section(
        "Rules.", "2026-05-01", "0.1.0", "x86_64, 4 cores, Python 3.11.7", "0.2", {"coup": "80 of 80"}
    )
    stored = "".join(section_text(name, old) for name in ("referee", "rules"))
    page.write_text(f"# Measured\n\n{BEGIN}{stored}{END}\n\n## By hand\n", encoding="utf-8")
    monkeypatch.setattr("tests.bench.page.PAGE", page)
    monkeypatch.setattr("tests.bench.instructions.shutil.which", lambda _name: None)
    # slow tests run for a release
    monkeypatch.setattr("tests.bench.referee._answers_for_a_sort", lambda *_match: 0.5)
    monkeypatch.setattr("tests.bench.referee.find_spec", lambda _name: None)
    result = run("all idle referee --write")
    assert result.exit_code == 0, result.output
    assert "idle wasn't measured, its figures stay: valgrind counts the instructions" in result.stderr
    head, written, foot = parts_of(page.read_text(encoding="utf-8"))
    assert (head, foot) == ("# Measured\n\n", "\n\n## By hand\n")
    sections = read_sections(written)
    assert (list(sections), sections["rules"]) == (["referee", "rules"], old)
    assert sections["referee"].version == this_version()
    assert sections["referee"].ratios["coup, rule text"] == "0.5 answers"
    assert written.count(OLDER) == 1
    assert written.index(OLDER) > written.index("### rules")


def test_promise_is_compared_with_an_interval() -> None:
    found = [Advice(str(match), 2.0, gain) for match, gain in enumerate((1.0, 3.0, 1.0, 3.0))]
    assert _figures(found) == "2.00 promised, 2.00 ± 1.13 brought"
    dear = [Advice(str(match), 225.4, gain) for match, gain in enumerate((100.0, 300.0, 100.0, 300.0))]
    assert _figures(dear) == "225 promised, 200 ± 113 brought"
    dependent = [Advice(str(match // 2), 2.0, gain) for match, gain in enumerate((1.0, 1.0, 3.0, 3.0))]
    assert _figures(dependent) == "2.00 promised, 2.00 ± 1.96 brought"


def test_numbers_are_compared_with_the_counted_total() -> None:
    script = sit_down(3, edition="gigamic").answers("opener", Option("opens", 0)).plays("15")
    counted = script.plays("16 coyote").shows("20 -5 1", owners=(0, 1, 2))
    states = [script.match.state, counted.match.state]

    def gain(chosen: Value, better: Value) -> float:
        judged = Judgement(script.match.number, 0, chosen, Kind.CHANCE, 0.5, (), better=better)
        return gain_of_number(states, judged)

    assert [gain(17, 16), gain(16, 17), gain(16, 15), gain(18, COYOTE)] == [1, -1, 0, 0]


@slow("bots play a match, and both choices of each decision to the end")
def test_advice_is_played_to_the_end() -> None:
    command = "advice --game ogallala --matches 2 --seeds 1 --decisions 12"
    counted, figures = run(command).stdout.splitlines()
    assert counted.startswith("ogallala: decisions with a better choice: ")
    assert counted.endswith(" in 2 matches of 1 seeds")
    assert figures.startswith("ogallala: lead in points for each of 11 better choices: ")


def test_benchmark_page_round_trips() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sections = read_sections(parts_of(page)[1])
    assert set(sections) <= set(NAMES)
    for name, section in sections.items():
        assert page_with(page, name, section) == page


@slow("each house rule is played for a while")
def test_bench_prints_its_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.referee.GAMES", {name: GAMES[name] for name in ("coyote", "coup")})
    told = dict(line.split(": ") for line in run("referee --seconds 0.05").stdout.splitlines())
    assert {"coyote, kidult", "coyote, gigamic", "coyote, oliphante, all powers"} <= told.keys()
    assert "coup, rule text, for each answer of coupml" in told
    assert all(float(figure.split()[0]) > 0 for figure in told.values())
