"""Access rights during an evening of changing tables follow the person, whatever their seat."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import DAY, Device, Evening, Person, SeatedMatch, seat_of, seat_offered_to
from firmware.storage.people.links_file import KEEPING, LinksFile, read_links
from firmware.twin.bot_seats import seats_in_next_match
from referee.games.catalogue import GAMES
from tests.firmware.playing import match_at
from tests.given import Clock, present
from tests.tiers import tiered
from tests.webui.access.evenings import EveningReport, play_evening
from tests.webui.access.letting_in import admit_all
from tests.webui.room import Browser, Room, match_of

EVENINGS = tiered(20, 200)


def begin_match(room: Room, *names: str) -> None:
    room.client.sit(match_at(f"{room.client.match.setup.begun}+", *names, game=GAMES["coup"]))
    # at a whole table the doorkeeper receives each match (`firmware/start/phones.py`)
    room.links_file.evening()


def is_at(phone: Browser, name: str) -> bool:
    return f"You are {name}." in phone.get("/seat").text


def test_returning_player_requests_their_name(room: Room) -> None:
    ana, host = room.browser().sit(0), room.browser().host()
    assert room.client.joined == ["Ana"]
    begin_match(room, "Bo", "Dora")
    assert "I am Ana" not in ana.get("/seat").text
    begin_match(room, "Bo", "Ana")
    assert ana.send("/seat", "/seat/ask").status_code == 303
    assert "wants to come back as Ana" in host.get("/host").text
    assert not is_at(ana, "Ana")
    assert host.send("/host", "/host/people/let-in", seat=1).status_code == 303
    assert is_at(ana, "Ana")
    # or the host identifies the phone of a renamed player
    begin_match(room, "Anna", "Bo", "Dora")
    assert "was Ana" in host.get("/host/people").text
    assert host.send("/host/people", "/host/people/let-in", seat=0).status_code == 303
    assert is_at(ana, "Anna")


@pytest.mark.parametrize("way", ["/host/people/everybody-out", "/host/pin"])
def test_sign_out_and_new_pin_remove_all_but_the_acting_host(room: Room, way: str) -> None:
    ana, host, other = room.browser().sit(0), room.browser().host(), room.browser().host()
    old = host.links.pin
    assert host.send("/host/people", way).status_code == 303
    assert 'name="pin"' in other.get("/host").text
    assert 'name="pin"' not in host.get("/host").text
    assert is_at(ana, "Ana") == (way == "/host/pin")
    # a removed device is still known
    assert ("I am Ana" in ana.get("/seat").text) == (way != "/host/pin")
    entered = room.browser().send("/host", "/host/enter", pin=old)
    assert (entered.status_code == 403) == (host.links.pin != old)
    assert way != "/host/pin" or host.links.pin != old


def test_rights_expire_after_a_day_of_running_time(tmp_path: Path) -> None:
    file, clock, match = tmp_path / "links.json", Clock(), match_of()
    links = LinksFile(file, lambda: match, clock)
    token = admit_all(links).seats[0].token
    clock.seconds += DAY / 2
    links.keep_time()
    clock.seconds = 3.0  # the machine was off, and its clock restarts
    again = LinksFile(file, lambda: match, clock)
    assert seat_of(again.evening(), token) == 0
    clock.seconds += DAY / 2 - 1
    assert seat_of(again.evening(), token) == 0
    clock.seconds += 1
    evening = again.evening()
    assert seat_of(evening, token) is None
    assert seat_offered_to(evening, token) == 0
    assert evening.hosts == ()


@pytest.mark.parametrize("is_movable", [True, False])
def test_unknown_file_format_is_moved_aside_and_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_movable: bool
) -> None:
    file, match = tmp_path / "links.json", match_of()
    content = b'{"form":3,"secret":"s","pin":"1","of a newer version":[]}'
    file.write_bytes(content)
    if not is_movable:
        monkeypatch.setattr("firmware.storage.people.links_file.lay_aside", lambda _file: None)
    links = LinksFile(file, lambda: match)
    links.evening()
    assert (links.aside or file).read_bytes() == content
    assert (read_links(file) is not None) == is_movable


def test_random_evening_keeps_seats_private(tmp_path: Path) -> None:
    report = EveningReport()
    for number in range(EVENINGS):
        play_evening(tmp_path, f"short {number}", report, with_pages=not number)
    assert report.wrong == []
    assert report.evenings == EVENINGS
    assert report.answers


def test_bots_follow_their_names_and_spare_taken_seats() -> None:
    before = ("You", "B1", "B2", "B3")
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("B3", "You", "B1"), frozenset({1})) == {0, 2}
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("Ana", "Bo", "Cleo"), frozenset()) == {1, 2}
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("Ana", "Bo", "Cleo"), frozenset({2})) == {1}
    assert seats_in_next_match(frozenset({1}), before, ("B1", "You"), frozenset({0, 1})) == frozenset()


# numbers of devices and durations


ANA, BO, CLEO = range(3)
SAT = SeatedMatch("today", ("Ana", "Bo", "Cleo"))
AT_TABLE, KNOWN, OTHER = Device("a1"), Device("b1", is_in=False), Device("b2")
EVENING = Evening(
    "secret",
    "1234",
    match=SAT,
    matches=3,
    codes=("AAAA", "BBBB", "CCCC"),
    people=(Person("ana", (AT_TABLE,)), Person("Bo", (KNOWN, OTHER)), Person("Zoe", (Device("z1"),))),
)
BETWEEN = replace(EVENING, match=None, codes=())


def tokens(devices: tuple[Device, ...]) -> list[str]:
    return [device.token for device in devices]


def test_person_and_host_have_at_most_six_devices() -> None:
    people = hosts = EVENING
    for number in range(7):
        people = evenings.join_seat(people, CLEO, Device(f"c{number}"), "DDDD")
        hosts = evenings.admit_host(hosts, Device(f"h{number}"))
        assert len(people.people[-1].devices) == len(hosts.hosts) == min(number + 1, 6)
    assert tokens(people.people[-1].devices) == [f"c{number}" for number in range(1, 7)]
    assert tokens(hosts.hosts) == [f"h{number}" for number in range(1, 7)]
    assert tokens(evenings.admit_host(hosts, Device("h3")).hosts) == ["h1", "h2", "h4", "h5", "h6", "h3"]


def test_screens_are_limited_to_eight_confirmed_and_eight_pending() -> None:
    evening = EVENING
    for number in range(10):
        evening = evenings.ask_screen(evening, Device(f"s{number}"))
    assert tokens(evening.screens) == [f"s{number}" for number in range(2, 10)]
    assert not any(screen.is_in for screen in evening.screens)
    for number in range(2, 10):
        evening = evenings.confirm_screen(evening, f"s{number}", now=7.0)
    assert all(evening == evenings.confirm_screen(evening, each, now=9.0) for each in ("s5", "none"))
    assert evening == evenings.ask_screen(evening, Device("s5"))
    evening = evenings.confirm_screen(evenings.ask_screen(evening, Device("more")), "more", now=8.0)
    assert tokens(evening.screens) == [*(f"s{number}" for number in range(3, 10)), "more"]
    assert [screen.since for screen in evening.screens] == [7.0] * 7 + [8.0]
    assert all(screen.is_in and not screen.is_asking for screen in evening.screens)


def test_name_is_forgotten_with_its_match() -> None:
    assert evenings.names_of(EVENING) == ("Ana", "Bo", "Cleo", "ana", "Bo", "Zoe")
    assert evenings.names_of(BETWEEN) == ("ana", "Bo", "Zoe")
    assert evenings.forget_name(EVENING, "nobody") is EVENING
    away = evenings.forget_name(EVENING, "ZOE")
    assert (away.match, [person.name for person in away.people]) == (SAT, ["ana", "Bo"])
    seated = evenings.forget_name(EVENING, "ANA")
    assert (seated.match, seated.codes) == (None, ())
    assert [person.name for person in seated.people] == ["Bo", "Zoe"]


@pytest.mark.parametrize(("seconds", "is_kept"), [(KEEPING - 1, False), (KEEPING, True), (KEEPING + 1, True)])
def test_running_time_is_saved_every_ten_minutes(tmp_path: Path, seconds: float, is_kept: bool) -> None:
    assert KEEPING == 600
    now = [1000.0]
    links = LinksFile(tmp_path / "links.json", clock=lambda: now[0])
    links.renew(lambda evening: evening)
    now[0] += 50
    links.renew(lambda evening: evening)
    now[0] += seconds
    links.keep_time()
    kept = present(read_links(tmp_path / "links.json"))
    assert kept.ran == 50 + (seconds if is_kept else 0)
    assert links.now() == 50 + seconds
    assert LinksFile(tmp_path / "links.json", clock=lambda: now[0]).now() == kept.ran
    links.hear("a")
    assert (links.heard("a"), links.heard("b")) == (50 + seconds, None)
