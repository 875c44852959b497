"""Cookies: a phone keeps them for a year by its own clock, whatever that of the table says."""

from flask import Flask, Response

from webui.access.viewers import SEAT, with_cookie


def test_a_cookie_says_for_how_long_it_is_kept_not_only_until_when() -> None:
    with Flask("test").test_request_context():
        said = with_cookie(Response(), SEAT, "token").headers["Set-Cookie"]
    assert f"Max-Age={365 * 24 * 60 * 60};" in said
