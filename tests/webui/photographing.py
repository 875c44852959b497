"""Photographs as phones send them, and a reading of one that may become evidence."""

import msgspec
from werkzeug.test import TestResponse

from firmware.start.pages.evidence_door import cards_read
from tests.webui.coyote_round import JPEG, READING
from tests.webui.room import Browser, hidden_fields
from webui.doors.companion import Photograph, PhotographEvidence

PAGE = "/seat/photo/reveal"
PICTURED = Photograph(
    cards_read(READING.cards), b"the room", PhotographEvidence(JPEG, msgspec.json.encode(READING))
)
"""A photograph of the three cards, and one face down."""


def send_photo(phone: Browser, content: bytes = b"photograph", page: str = PAGE, **fields: str) -> TestResponse:
    """Take a photograph where a page asks for one."""
    return post_form(phone, page, content, **{**hidden_fields(phone.get(page).text, page), **fields})


def post_form(phone: Browser, page: str, content: bytes, **fields: str) -> TestResponse:
    """Send a form as browsers do: its fields first, then the file."""
    part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    head = "".join(part.format(*field) for field in fields.items())
    file = '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body = (head + file).encode() + content + b"\r\n--x--\r\n"
    return phone.client.post(page, data=body, content_type="multipart/form-data; boundary=x")


def review(phone: Browser, page: str = PAGE, goes_to: str = "/seat/answer") -> dict[str, str]:
    """Photograph the cards, and give the hidden fields of the review."""
    assert send_photo(phone, page=page).status_code == 303
    return hidden_fields(phone.get(f"{page}/read").text, goes_to)
