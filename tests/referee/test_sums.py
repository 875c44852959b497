"""Match files with sums: damage and a cut end are noticed."""

from random import Random

from referee.match import hear
from referee.record import MISSING, read_record, record_lines
from referee.sums import SealedLine, filed, lines_in
from tests.firmware.playing import any_entry, match_at
from tests.given import allowed, present


def file_of_match() -> tuple[list[str], bytes]:
    match, rng = match_at("2026-05-01T20:15:00+02:00", "Ana", "Bo"), Random(1)
    while match.number < 8:
        match = allowed(hear(match, any_entry(match, rng)))
    texts = record_lines(match)
    lines = [SealedLine(12, number, text) for number, text in enumerate(texts)]
    return texts, b"".join(filed(5, line, len(texts)) for line in lines)


def read(raw: bytes) -> list[str]:
    return raw.decode(errors="surrogateescape").rstrip().split("\n")


def test_file_with_sums_reads_like_one_without() -> None:
    texts, raw = file_of_match()
    assert [each.line.text for each in lines_in(raw)] == texts
    assert record_lines(present(read_record(read(raw)).match)) == texts


def test_each_flipped_bit_damages_one_line() -> None:
    texts, raw = file_of_match()
    for at in range(len(raw)):
        flipped = raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1 :]
        left = {each.line.number: each.line.text for each in lines_in(flipped)}
        assert len(left) >= len(texts) - 1, at
        assert all(texts[number] == text for number, text in left.items()), at


def test_notices_cut_end() -> None:
    texts, raw = file_of_match()
    lines = raw.splitlines(keepends=True)
    for cut in (b"".join(lines[:-1]), raw[:-2], b"".join(lines[:-2]) + lines[-1][:9]):
        fault = present(read_record(read(cut)).fault)
        assert (fault.key, fault.line >= len(texts) - 1) == (MISSING, True)
