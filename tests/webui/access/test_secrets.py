"""What lets people in is long enough to be no guess, and hints that were seen are remembered."""

from pathlib import Path

import msgspec
from flask import Flask, request

from firmware.language.catalogues import language
from tests.webui.room import FakeDoor, match_of
from webui.access.evening import Evening, forget_name, sit_down
from webui.access.hints import hint_mark, read_hints, with_hint_heard
from webui.access.links import LETTERS, device_id, draw_codes, draw_pin, draw_token
from webui.access.links_file import LinksFile, read_links
from webui.access.viewers import language_of
from webui.doors.companion import Services


def test_codes_have_six_letters_that_look_like_no_other() -> None:
    codes = draw_codes(20)
    assert {len(code) for code in codes} == {6}
    assert set("".join(codes)) <= set(LETTERS)
    assert not set("IOQ") & set(LETTERS)


def test_codes_differ_from_each_other_and_from_those_that_are_taken() -> None:
    taken = draw_codes(3)
    drawn = draw_codes(5, taken)
    assert len({*taken, *drawn}) == 3 + 5
    assert draw_codes(0, taken) == ()


def test_a_pin_has_eight_digits_and_a_token_no_fewer_than_24_bytes() -> None:
    assert len(draw_pin()) == 8
    assert draw_pin().isdecimal()
    assert len(draw_token()) == 24 * 4 // 3
    assert len(device_id("token")) == 10


def test_a_file_of_links_is_read_up_to_a_million_bytes(tmp_path: Path) -> None:
    file = tmp_path / "links.json"
    content = msgspec.json.encode(Evening("secret", "12345678"))
    for size, is_read in ((1_000_000, True), (1_000_001, False)):
        file.write_bytes(content.ljust(size))
        assert (read_links(file) is not None) == is_read


def test_an_evening_counts_its_matches_from_none() -> None:
    evening = Evening("secret", "12345678")
    assert evening.matches == 0
    assert sit_down(evening, match_of(), draw_codes(2)).matches == 1


def test_a_name_of_the_match_that_is_forgotten_has_people_seated_anew() -> None:
    match = match_of()
    evening = sit_down(Evening("secret", "12345678"), match, draw_codes(len(match.setup.names)))
    assert forget_name(evening, match.setup.names[0]).match is None
    assert forget_name(evening, "Nobody") is evening


def test_hints_are_marked_by_five_letters_and_two_hundred_are_kept() -> None:
    marks = [hint_mark("coup", f"ask {number}") for number in range(201)]
    assert {len(mark) for mark in marks} == {5}
    assert len(set(marks)) == 201
    cookie = ""
    for mark in marks:
        cookie = with_hint_heard(read_hints(cookie), mark)
    assert len(cookie) == 5 * 200
    assert read_hints(cookie + marks[0]).seen == read_hints(cookie).seen
    assert not read_hints("".join(marks[:3])).wants(marks[2])
    assert read_hints("".join(marks[:3])).wants(marks[3])


def test_what_is_no_mark_counts_as_nothing_seen() -> None:
    assert read_hints("abcd").seen == frozenset()
    assert read_hints("abcdg12345").seen == {"12345"}
    assert with_hint_heard(read_hints("12345"), "nonsense") == "12345"


def test_hints_are_turned_off_and_on() -> None:
    off = with_hint_heard(read_hints("12345"), "off")
    assert not read_hints(off).wants("abcde")
    assert read_hints(with_hint_heard(read_hints(off), "on")).wants("12345")


def test_a_page_is_in_the_language_that_the_browser_asks_for_or_the_tables(tmp_path: Path) -> None:
    spoken = {code: language(code) for code in ("en", "fr")}
    links = LinksFile(tmp_path / "links.json")
    services = Services(FakeDoor(match_of()), links, spoken, "fr", lambda told, _listener: str(told), str)
    for wanted, code in (("en", "en"), ("fr", "fr"), ("de, en;q=0.5", "en"), ("de", "fr"), ("", "fr")):
        with Flask("test").test_request_context(headers={"Accept-Language": wanted}):
            assert language_of(services, request) == code
