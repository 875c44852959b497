"""The kinds of notices."""

from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import WORDS

WORDED_BY_THE_REFEREE = {NoticeKey.REFUSED, NoticeKey.AUDITED, NoticeKey.RULED_BY}


def test_each_key_has_a_sentence_or_is_worded_by_the_referee() -> None:
    assert set(NoticeKey) == WORDS.keys() | WORDED_BY_THE_REFEREE
    assert not WORDS.keys() & WORDED_BY_THE_REFEREE
