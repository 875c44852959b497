"""Forms of other sites, names of other sites, and addresses that are one network."""

import pytest

from tests.webui.room import Room, hidden_fields
from webui.access.origins import is_our_name, network_of, plain_address


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({}, 303),
    ],
)
def test_a_form_counts_only_from_our_own_pages(room: Room, headers: dict[str, str], code: int) -> None:
    phone = room.browser()
    form = {**hidden_fields(phone.get("/seat").text, "/seat/take"), "code": phone.links.codes[0]}
    sent = phone.client.post("/seat/take", data=form, headers=headers)
    assert sent.status_code == code
    assert ("Another site sent this form" in sent.text) == (code == 403)


@pytest.mark.parametrize("name", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "a.b"])
def test_a_name_that_another_site_may_own_is_turned_away(room: Room, name: str) -> None:
    response = room.browser().client.get("/", headers={"Host": name})
    assert response.status_code == 421
    assert "Open the one that the table shows" in response.text


@pytest.mark.parametrize(
    "name",
    ["10.0.0.5:8000", "[fe80::1]:8000", "coyote", "coyote.local", "COYOTE.local.:80", "localhost", "t.lan"],
)
def test_our_own_names_are_served(name: str) -> None:
    assert is_our_name(name.lower())


def test_one_device_is_one_network() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1:2:3") == "2001:db8::/64"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert (
        network_of("::ffff:10.0.0.7")
        == network_of("10.0.0.7")
        == plain_address("::ffff:10.0.0.7")
        == "10.0.0.7"
    )
    assert network_of("10.0.0.8") != network_of("10.0.0.7")
    assert network_of("") == ""
