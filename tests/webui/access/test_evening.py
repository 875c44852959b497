"""An evening with changing tables: a phone's right is its person's, whatever seat that person has."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.twin.bot_seats import seats_in_next_match
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.webui.access.letting_in import admit_all
from tests.webui.fakes import FakeTwin
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.access.evening import DAY, held_seats, renew_pin, seat_of, seat_offered_to
from webui.access.links import LegacyLinks, LegacySeat, device_id
from webui.access.links_file import LinksFile, read_links


def begin_match(room: Room, *names: str, game: str = "coup") -> None:
    """Sit down at another match with these names, as the host does."""
    rules = GAMES[game]
    begun = f"{room.door.match.setup.begun}+"
    match = begin(Setup(rules, rules.house(), names, begun=begun))
    assert isinstance(match, Match)
    room.door.sit(match)
    # at a whole table the doorkeeper sees each match (`firmware/start/phones.py`)
    room.links_file.evening(room.door.moment)


def is_at(phone: Browser, name: str) -> bool:
    """Tell whether a phone is shown a seat."""
    return f"You are {name}." in phone.get("/seat").text


def test_who_goes_home_is_nobody_in_the_next_match(tmp_path: Path) -> None:
    room = room_with(
        replace(match_of(), setup=replace(match_of().setup, names=("Ana", "Bo", "Cleo"))), tmp_path
    )
    ana, bo, cleo = (room.browser().sit(seat) for seat in range(3))
    begin_match(room, "Bo", "Cleo")
    assert "You are" not in ana.get("/seat").text
    assert is_at(bo, "Bo")
    assert is_at(cleo, "Cleo")


def test_people_keep_their_names_when_the_order_changes(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, bo = room.browser().sit(0), room.browser().sit(1)
    begin_match(room, "Bo", "Dora", "Ana")
    assert is_at(ana, "Ana")
    assert is_at(bo, "Bo")


def test_who_comes_back_needs_the_code_or_the_host(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, _bo = room.browser().sit(0), room.browser().sit(1)
    begin_match(room, "Bo", "Dora")
    begin_match(room, "Ana", "Bo", "Dora")
    assert "You are" not in ana.get("/seat").text


def test_nobody_sits_down_at_the_twin_where_a_phone_has_the_seat(tmp_path: Path) -> None:
    twin = FakeTwin()
    room = room_with(match_of(), tmp_path, twin=twin)
    room.browser().sit(1)
    assert "Play as Bo" not in room.browser().get("/twin").text
    assert room.browser().send("/twin", "/twin/sit", seat=1).status_code == 403


def test_a_phone_that_takes_a_seat_displaces_its_bot(tmp_path: Path) -> None:
    twin = FakeTwin()
    room = room_with(match_of(), tmp_path, twin=twin)
    assert 1 in twin.bots
    room.browser().sit(1)
    assert 1 not in twin.bots


# codes, and who comes back


def test_a_code_lets_one_device_in(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    code = room.browser().links.codes[0]
    assert room.browser().send("/seat", "/seat/take", code=code).status_code == 303
    assert room.browser().send("/seat", "/seat/take", code=code).status_code == 403


def test_all_of_the_table_is_told_who_joins(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    room.browser().sit(1)
    assert room.door.joined == ["Bo"]


def test_who_comes_back_asks_for_the_name_and_the_host_confirms(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, host = room.browser().sit(0), room.browser().host()
    begin_match(room, "Bo", "Dora")
    assert "I am Ana" not in ana.get("/seat").text
    begin_match(room, "Bo", "Ana")
    assert "I am Ana" in ana.get("/seat").text
    assert ana.send("/seat", "/seat/ask").status_code == 303
    assert "asks to come back as Ana" in host.get("/host").text
    assert not is_at(ana, "Ana")
    assert host.send("/host", "/host/people/let-in", seat=1).status_code == 303
    assert is_at(ana, "Ana")


def test_the_host_says_who_a_phone_is_that_has_another_name_now(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, host = room.browser().sit(0), room.browser().host()
    begin_match(room, "Anna", "Bo", "Dora")
    page = host.get("/host/people").text
    assert "was Ana" in page
    assert "This is Anna" in page
    assert host.send("/host/people", "/host/people/let-in", seat=0).status_code == 303
    assert is_at(ana, "Anna")


def test_a_stranger_is_not_let_in_by_asking(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    stranger, seated = room.browser(), room.browser().sit(0)
    form = hidden_fields(stranger.get("/seat").text, "/seat/take")
    before = stranger.links
    assert stranger.post("/seat/ask", **form).status_code == 303
    for address in ("out", "everybody-out", "let-in"):
        assert stranger.post(f"/host/people/{address}", **form, device="x", seat=0).status_code == 403
    for address in ("/host/pin", "/host/screen", "/host/sound", "/host/announcer"):
        assert stranger.post(address, **form, sound="on").status_code == 403
    assert stranger.links is before
    assert is_at(seated, "Ana")


# the host puts people out


def test_the_host_puts_one_device_out(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, bo, host = room.browser().sit(0), room.browser().sit(1), room.browser().host()
    device = device_id(bo.token)
    assert device in host.get("/host").text
    assert bo.token not in host.get("/host").text
    form = hidden_fields(host.get("/host").text, "/host/people/out")
    assert host.post("/host/people/out", **{**form, "device": device}).status_code == 303
    assert is_at(ana, "Ana")
    assert "You are" not in bo.get("/seat").text
    assert "This phone no longer has a seat." in bo.get("/seat").text
    assert "This phone no longer has a seat." not in room.browser().get("/seat").text


def test_everybody_out_ends_the_evening_but_for_the_host_who_says_so(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, host, other = room.browser().sit(0), room.browser().host(), room.browser().host()
    assert host.send("/host/people", "/host/people/everybody-out").status_code == 303
    assert "You are" not in ana.get("/seat").text
    assert "I am Ana" in ana.get("/seat").text
    assert 'name="pin"' in other.get("/host").text
    assert 'name="pin"' not in host.get("/host").text


def test_a_new_pin_puts_other_hosts_out(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    host, other, old = room.browser().host(), room.browser().host(), room.browser().links.pin
    assert host.send("/host/people", "/host/pin").status_code == 303
    assert 'name="pin"' in other.get("/host").text
    assert 'name="pin"' not in host.get("/host").text
    assert room.browser().send("/host", "/host/enter", pin=old).status_code == 403


# time, restarts, and files of other versions


class Clock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        """Begin."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


def test_a_right_ends_after_a_day_of_running_time(tmp_path: Path) -> None:
    file, clock, match = tmp_path / "links.json", Clock(), match_of()
    links = LinksFile(file, clock)
    token = admit_all(links, lambda: match).seats[0].token
    clock.now += DAY / 2
    links.keep_time()
    clock.now = 3.0  # the machine was off, and its clock begins anew
    again = LinksFile(file, clock)
    assert seat_of(again.evening(lambda: match), token) == 0
    clock.now += DAY / 2 - 1
    assert seat_of(again.evening(lambda: match), token) == 0
    clock.now += 1
    evening = again.evening(lambda: match)
    assert seat_of(evening, token) is None
    assert seat_offered_to(evening, token) == 0
    assert evening.hosts == ()


def test_an_unknown_form_is_kept_aside(tmp_path: Path) -> None:
    file, match = tmp_path / "links.json", match_of()
    content = b'{"form":3,"secret":"s","pin":"1","of a newer version":[]}'
    file.write_bytes(content)
    links = LinksFile(file)
    links.evening(lambda: match)
    assert links.aside is not None
    assert links.aside.read_bytes() == content
    assert read_links(file) is not None


def test_a_file_that_cannot_be_put_aside_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, match = tmp_path / "links.json", match_of()
    file.write_bytes(b"{}")
    monkeypatch.setattr("webui.access.links_file.lay_aside", lambda _file: None)
    LinksFile(file).evening(lambda: match)
    assert file.read_bytes() == b"{}"


def test_phones_of_version_0_1_0_count_once_they_show_up(tmp_path: Path) -> None:
    legacy = LegacyLinks("s", "123456", "host", (LegacySeat("AAAA", "one"), LegacySeat("BBBB", "two")))
    (tmp_path / "links.json").write_bytes(msgspec.json.encode(legacy))
    room = room_with(match_of(), tmp_path)
    assert room.browser().links.codes[:2] == ("AAAA", "BBBB")
    assert held_seats(room.browser().links) == frozenset()
    phone = room.browser()
    phone.client.set_cookie("seat", "two")
    assert is_at(phone, "Bo")
    assert held_seats(phone.links) == {1}


def test_what_a_command_writes_beside_the_table_counts_at_once(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    ana, host = room.browser().sit(0), room.browser().host()
    LinksFile(tmp_path / "links.json").renew(lambda evening: renew_pin(evening, "000000"))
    assert ana.links.pin == "000000"
    assert is_at(ana, "Ana")
    assert 'name="pin"' in host.get("/host").text


# bots


def test_bots_follow_their_names_and_leave_seats_that_people_hold() -> None:
    before = ("You", "B1", "B2", "B3")
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("B3", "You", "B1"), frozenset({1})) == {0, 2}
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("Ana", "Bo", "Cleo"), frozenset()) == {1, 2}
    assert seats_in_next_match(frozenset({1, 2, 3}), before, ("Ana", "Bo", "Cleo"), frozenset({2})) == {1}
    assert seats_in_next_match(frozenset({1}), before, ("B1", "You"), frozenset({0, 1})) == frozenset()
