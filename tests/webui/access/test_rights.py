"""Rights of an evening: seats, codes, numbers of remembered devices, and durations."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening, Person, SeatedMatch
from firmware.storage.people.links_file import KEEPING, LinksFile, read_links
from tests.given import present

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


@pytest.mark.parametrize(("seconds", "is_kept"), [(KEEPING - 1, False), (KEEPING, True)])
def test_running_time_is_saved_every_ten_minutes(tmp_path: Path, seconds: float, is_kept: bool) -> None:
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
