"""Malicious backups: good ones changed inside and outside, and the results of restoring them."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from shutil import rmtree
from traceback import format_exc
from warnings import catch_warnings, simplefilter
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import msgspec
from msgspec.structs import replace

from firmware.language.speaking import reason_of
from firmware.services.backups import Backups
from firmware.state_folder import JOURNAL
from firmware.storage.backups.archive import MANIFEST, Content, Manifest, TablePlaces, size_limit
from firmware.storage.backups.restoring import stage
from firmware.storage.errors import BackupError
from referee.sums import SealedLine, filed, lines_in
from tests.firmware.storage.backups.tables import MADE, files_of

Files = Mapping[str, bytes]
MATCH = "matches/1.jsonl"

NAMES = (
    "../state/links.json", "/etc/passwd", "decks/a/../../links.json", "links.json", "journal.sqlite3-wal",
    "decks/", "decks/a\\b/c/1.png", "", "x" * 60_000, "a\0b", "C:\\x", "decks/" + "a/" * 500, "chosen.trial",
    "journal.sqlite3", "restoring/ready.json", "table.json ", "decks/.x.old/1.png", "é" * 300,
    "decks/a/.b/1.png", "decks/a/b/1.txt",
)  # fmt: skip
WORDS = (b"[" * 100_000, b'{"a":' * 50_000, b"9" * 5000, b"a = " + b"[" * 50_000, b"\xff\xfe", b"null")
NUMBERS = (-1, 0, 1, 2**31, 2**32, 2**63, 10**30)
CHANGES: tuple[Callable[[SealedLine], SealedLine], ...] = (
    lambda line: replace(line, text=line.text.replace("Ana", "Eve")),
    lambda line: replace(line, text="[" * 60_000 + "}"),
    lambda line: replace(line, number=line.number + 999_999_900),
    lambda line: replace(line, match_id=999_999_999_999),
    lambda line: replace(line, number=0),
)
"""Changes of all lines of a match file, whose sums fit afterwards."""


def manifest_for(files: Files, said: Mapping[str, Content] | None = None) -> bytes:
    """Describe files in a manifest, with some false entries."""
    contents = {
        name: Content(len(content), sha256(content).hexdigest())
        for name, content in files.items()
        if name != MANIFEST
    }
    return msgspec.json.encode(Manifest(1, "0.1.0", MADE, {**contents, **(said or {})}))


def pack_files(file: Path, files: Files) -> Path:
    """Pack files with a correct manifest, unless they include one."""
    with ZipFile(file, "w", ZIP_DEFLATED) as opened:
        for name, content in {MANIFEST: manifest_for(files), **files}.items():
            opened.writestr(name, content)
    return file


def spoilt(files: Files, rng: Random) -> bytes:
    """Make one of the files of a good backup."""
    inside: Files = {name: content for name, content in files.items() if name != MANIFEST}
    for _time in range(rng.choice((0, 1, 1, 2))):
        inside = _spoil_inside(inside, rng)
    content = _pack_zip(inside, rng)
    for _time in range(rng.choice((0, 0, 1, 2))):
        content = rng.choice((_flip_bits, _flip_bits, _cut_short, _join_parts, _claim_size))(content, rng)
    return content if rng.random() < 0.97 else rng.randbytes(rng.randrange(3000))


def _spoil_inside(inside: Files, rng: Random) -> Files:
    """Change the content; the manifest still fits, so that everything is read."""
    name, other = rng.choice(sorted(inside)), rng.choice(list(inside.values()))
    changes: tuple[tuple[str, bytes | None], ...] = (
        (name, rng.choice((_flip_bits, _cut_short, _join_parts))(inside[name], rng)),
        (rng.choice(NAMES), rng.choice((b"", b"x", other))),
        (name, None),
        (name, other),
        (rng.choice(("table.json", "chosen.json", "coyote.toml")), rng.choice(WORDS)),
        (rng.choice(("decks/a/b/1.png", "table.png", "table.json")), bytes(rng.choice((10**6, 10**7)))),
        (MATCH, change_lines(inside.get(MATCH, b""), rng.choice(CHANGES))),
    )
    changed = {**inside, **dict([rng.choice(changes)])}
    return {each: content for each, content in changed.items() if content is not None}


def change_lines(content: bytes, change: Callable[[SealedLine], SealedLine]) -> bytes:
    return b"".join(filed(each.table, change(each.line), each.lines) for each in lines_in(content))


# outside


def _pack_zip(inside: Files, rng: Random) -> bytes:
    out, said = BytesIO(), dict[str, Content]()
    if inside and rng.random() < 0.1:
        said[rng.choice(sorted(inside))] = Content(rng.choice(NUMBERS), "0" * 64)
    odd_lists = (b"{", b"[" * 10**5, b'{"format":2}')
    manifest = manifest_for(inside, said) if rng.random() < 0.95 else rng.choice(odd_lists)
    entries = [(MANIFEST, manifest), *inside.items()]
    entries += [rng.choice(entries)] if rng.random() < 0.05 else []
    odd = rng.random() < 0.1
    with ZipFile(out, "w") as opened, catch_warnings():
        # zipfile warns of duplicate names
        simplefilter("ignore")
        for name, content in entries:
            entry = ZipInfo(name)
            entry.compress_type = rng.choice((ZIP_BZIP2, ZIP_LZMA, ZIP_STORED)) if odd else ZIP_DEFLATED
            kind = rng.choice((0o120777, 0o040755, 0o010644, 0o100644)) if odd else 0o100600
            entry.external_attr = kind << 16
            with suppress(ValueError):
                opened.writestr(entry, content)
    return out.getvalue()


def _flip_bits(content: bytes, rng: Random) -> bytes:
    changed = bytearray(content)
    for _byte in range(rng.choice((1, 1, 3, 30))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.choice((0, 1, 0x7F, 0xFF, rng.randrange(256)))
    return bytes(changed)


def _cut_short(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _join_parts(content: bytes, rng: Random) -> bytes:
    return rng.choice((b"\x7fELF" + content, content + b"x" * 100, content + content))


def _claim_size(content: bytes, rng: Random) -> bytes:
    """Write another number into a zip file's headers, near its end or at an entry."""
    changed, sign = bytearray(content), rng.choice((b"PK\x01\x02", b"PK\x05\x06", b"PK\x03\x04"))
    at = content.rfind(sign)
    if at >= 0:
        place = at + rng.randrange(4, 46)
        changed[place : place + 4] = rng.choice((b"\xff" * 4, b"\0" * 4, rng.randbytes(4)))
    return bytes(changed[: len(content)])


# results


def try_restore(content: bytes, here: TablePlaces) -> str:
    """Upload a backup to a table. Returns the faults of the result."""
    before, backups = files_of(here), Backups(here, here.state / "evidence")
    wrong, new = "", here.state / "restoring" / "new"
    try:
        with backups.room(len(content)) as file:
            file.write(content)
            file.flush()
            # not in a separate process, where a traceback would be hidden
            stage(Path(file.name), here)
        staged = {str(each.relative_to(new)).replace("\\", "/") for each in new.rglob("*") if each.is_file()}
        strange = [name for name in staged if not (size_limit(name) or name.startswith(JOURNAL))]
        wrong = f"let in {strange}" if strange else ""
    except (OSError, BackupError) as error:
        told = str(reason_of(error))
        wrong = "" if told and "\n" not in told and "Errno" not in told else f"told {told!r}"
        left = [each.name for each in here.state.iterdir() if each.name.startswith((".backup-", "restoring"))]
        wrong = wrong or (f"left {left}" if left else "")
    except Exception:  # noqa: BLE001 - whatever it is, it is a fault
        wrong = format_exc()
    rmtree(here.state / "restoring", ignore_errors=True)
    return wrong or ("" if files_of(here) == before else "what is here has changed")
