"""The table's user leads from this computer; other local users, and whatever forwards connections, don't."""

import os
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from pwd import getpwuid

import pytest
from flask import request

from firmware.services import screen_user
from firmware.storage.people.links import computer_token
from tests.webui.laptop import CODE, laptop, unclaimed_table
from tests.webui.room import Room, hidden_fields, match_of, room_with, serving
from webui.access.viewers import COMPUTER, VISITOR, cookie_name
from webui.server.serving import EVERYWHERE

HERE = "127.0.0.1"


def token_of(room: Room) -> str:
    return computer_token(room.links_file.evening().secret)


def test_other_local_browsers_are_ordinary_phones(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    other, own = room.browser(HERE), room.computer()
    assert "/host/here" in own.get("/host").text
    assert "/host/here" not in other.get("/host").text
    assert "/twin/sit" in own.get("/twin").text
    assert "/twin/sit" not in other.get("/twin").text
    for page in ("/welcome", "/welcome/me?game=coyote", "/welcome/camera"):
        assert other.get(page).location in {"/host", "/welcome"}
    form = hidden_fields(other.get("/host").text, "/host/enter")
    for there in ("/host/here", "/twin/sit"):
        assert other.post(there, **form, seat=0).status_code == 403
    for there in ("/welcome", "/welcome/me", "/welcome/again", "/welcome/camera"):
        assert other.post(there, **form, game="coyote", camera="phone").location in {"/host", "/welcome"}
    assert (room.links_file.evening().hosts, room.links_file.evening().people) == ((), ())
    # the PIN makes it a host
    assert other.host().get("/host/more").status_code == 200


@pytest.mark.parametrize(
    ("asked", "is_own"),
    [
        ({}, True),
        ({"HTTP_HOST": "127.0.0.1:8000", "SERVER_NAME": "127.0.0.1"}, True),
        ({"REMOTE_ADDR": "::1", "HTTP_HOST": "[::1]:8000", "SERVER_NAME": "::1"}, True),
        # a forwarder's own address, with any connection behind it
        ({"HTTP_HOST": "192.0.2.7:8000", "SERVER_NAME": "127.0.0.1"}, False),
        ({"HTTP_HOST": "127.0.0.2:8000", "SERVER_NAME": "127.0.0.1"}, False),
        ({"HTTP_HOST": "evil.lan"}, False),
        ({"REMOTE_ADDR": "192.0.2.9"}, False),
        ({"SERVER_PROTOCOL": "HTTP/1.0"}, False),
        *(
            ({f"HTTP_{header}": "192.0.2.9"}, False)
            for header in ("X_FORWARDED_FOR", "CLIENT_IP", "CF_CONNECTING_IP", "TAILSCALE_USER_LOGIN")
        ),
    ],
)
def test_stolen_cookie_needs_a_direct_local_connection(
    tmp_path: Path, asked: dict[str, str], *, is_own: bool
) -> None:
    room = laptop(tmp_path)
    # the test client's own cookies belong to one host name
    cookie = f"{cookie_name(room.links_file.evening(), COMPUTER)}={token_of(room)}"
    client = room.app.test_client(use_cookies=False)
    page = client.get("/welcome", headers={"Cookie": cookie}, environ_overrides=asked)
    assert (page.status_code == 200) is is_own


def test_server_names_the_address_of_the_connection(tmp_path: Path) -> None:
    room, names = room_with(match_of(), tmp_path), list[str]()
    room.app.before_request(lambda: names.append(request.environ["SERVER_NAME"]))
    with serving(room.app, EVERYWHERE) as server:
        for address in ("127.0.0.1", "127.0.0.2", "::1"):
            with closing(HTTPConnection(address, server.port)) as line:
                line.request("GET", "/join")
                assert line.getresponse().status == 200
    assert names == ["127.0.0.1", "127.0.0.2", "::1"]


@pytest.mark.parametrize(
    ("to", "there"), [("", "/welcome"), ("screen", "/screen#ask"), ("//evil.example", "/welcome")]
)
def test_token_is_exchanged_for_a_cookie(tmp_path: Path, to: str, there: str) -> None:
    room = laptop(tmp_path)
    browser, cookie = room.browser(), cookie_name(room.links_file.evening(), COMPUTER)
    page = f"/here?to={to}"
    # without the token, or a form of this browser, it stays an ordinary one
    assert browser.send(page, "/here", token="").location == there
    assert browser.send(page, "/here", token=computer_token("other")).location == there
    assert browser.post("/here", token=token_of(room)).status_code == 403
    assert browser.client.get_cookie(cookie) is None
    # an address never carries it, so none can store or send it
    assert browser.get(f"/here?token={token_of(room)}").status_code == 200
    assert browser.client.get_cookie(cookie) is None
    assert browser.send(page, "/here", token=token_of(room)).location == there
    assert browser.get("/welcome").status_code == 200


def test_another_site_cannot_exchange_a_token(tmp_path: Path) -> None:
    room = laptop(tmp_path)
    browser = room.browser()
    fields = {**hidden_fields(browser.get("/here").text, "/here"), "token": token_of(room)}
    for origin in ("null", "http://localhost:9999", "http://evil.example"):
        assert browser.client.post("/here", data=fields, headers={"Origin": origin}).status_code == 403


def test_form_tokens_reveal_nothing_about_it(tmp_path: Path) -> None:
    """A browser chooses its visitor cookie, from which pages derive the form token."""
    room = laptop(tmp_path)
    for visitor in ("computer", "", f"computer {room.links_file.evening().secret}", COMPUTER):
        browser = room.browser()
        browser.client.set_cookie(VISITOR, visitor)
        assert token_of(room) not in browser.get("/host").text


def test_screen_shows_the_number_to_the_table_user_and_its_own_user_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = unclaimed_table(tmp_path).room
    assert CODE.search(room.computer().get("/screen").text) is not None
    with serving(room.app) as server:

        def screen() -> str:
            with closing(HTTPConnection(HERE, server.port)) as line:
                line.request("GET", "/screen", headers={"Host": "localhost"})
                return line.getresponse().read().decode()

        # another user's browser, then that of the screen's own user
        assert CODE.search(screen()) is None
        monkeypatch.setattr(screen_user, "SCREEN_USER", getpwuid(os.geteuid()).pw_name)
        assert CODE.search(screen()) is not None


def test_all_users_of_a_connection_must_be_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user may use the same port at another loopback address."""
    row = "0: 0100007F:{} 0100007F:1F40 01 00000000:00000000 00:00000000 00000000 {} 0 1 1"
    monkeypatch.setattr(screen_user, "CONNECTIONS", tmp_path)
    monkeypatch.setattr(screen_user, "SCREEN_USER", getpwuid(0).pw_name)

    def is_screen(*rows: str) -> bool:
        (tmp_path / "tcp").write_text("\n".join(("head", *rows)))
        (tmp_path / "tcp6").write_text("head\n")
        return screen_user.is_screen_user(0x1234, 8000)

    assert is_screen(row.format("1234", 0))
    assert not is_screen(row.format("1234", 0), row.format("1234", 1000))
    assert not is_screen(row.format("1235", 0))
    assert not is_screen()
    (tmp_path / "tcp").unlink()
    assert not screen_user.is_screen_user(0x1234, 8000)
