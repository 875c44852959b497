"""The kinds of notices."""

import msgspec

from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import WORDS, Notice

WORDED_BY_THE_REFEREE = {NoticeKey.REFUSED, NoticeKey.AUDITED, NoticeKey.RULED_BY}


def test_each_key_has_a_sentence_or_is_worded_by_the_referee() -> None:
    assert set(NoticeKey) == WORDS.keys() | WORDED_BY_THE_REFEREE
    assert not WORDS.keys() & WORDED_BY_THE_REFEREE


def test_key_is_logged_as_its_text() -> None:
    assert msgspec.json.encode(Notice(NoticeKey.ANSWER_NOT_STORED).key) == b'"not kept"'
