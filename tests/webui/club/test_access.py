"""Signed cookies: only what the hub has signed is read, each for its own kind."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from webui.club.access import read_signed, sign
from webui.club.exports import number_text
from webui.club.forms import numbers_in, text_in, whole


@given(text=st.text("0123456789 ", max_size=20), secret=st.text(min_size=1), other=st.text(min_size=1))
def test_only_what_we_signed_is_read(text: str, secret: str, other: str) -> None:
    cookie = sign(secret, "person", text)
    assert read_signed(secret, "person", cookie) == text
    assert read_signed(secret, "entrant", cookie) == ""
    assert read_signed(other, "person", cookie) == (text if other == secret else "")


@given(cookie=st.text())
def test_whatever_comes_as_a_cookie_is_no_error(cookie: str) -> None:
    assert read_signed("secret", "person", cookie) == ""


@given(text=st.text())
def test_whatever_comes_in_a_form_is_read_or_is_nothing(text: str) -> None:
    assert whole(text) >= 0
    assert len(text_in({"why": text}, "why")) <= 200
    assert "\n" not in text_in({"why": text}, "why")
    assert all(number >= 0 for number in numbers_in(text))


def test_points_are_written_without_needless_digits() -> None:
    assert [number_text(Fraction(*each)) for each in ((6, 1), (5, 2), (2, 3), (1, 10))] == [
        "6",
        "2.5",
        "0.67",
        "0.1",
    ]
