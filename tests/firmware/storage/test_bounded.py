"""Folders beside the journal are bounded, and the certificate is private."""

import subprocess
import sys
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509

from firmware.state_folder import CERTIFICATE
from firmware.storage import files
from firmware.storage.certificates import CertificateTerms, certify
from firmware.storage.own_secrets import encryption, fingerprint, own_certificate
from vision.process import evidence
from vision.process.evidence import Sidecar, keep_evidence, pictures_of_match
from vision.sightings import Reading
from vision.troubles import TroubleError

EVIDENCE_LIMIT = 40_000
JPEG = b"a picture" * 500


class FreeSpace(NamedTuple):
    """Free space of a disk."""

    free: int


def test_endless_match_keeps_evidence_bounded(tmp_path: Path) -> None:
    for moment in range(40):
        newest = keep_evidence(tmp_path, JPEG, Sidecar("1", moment, Reading(())), most=EVIDENCE_LIMIT)
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= EVIDENCE_LIMIT
        assert pictures_of_match(tmp_path, "1")[-1] == newest
    assert len(pictures_of_match(tmp_path, "1")) > 5


def test_evidence_leaves_room_for_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in range(5):
        keep_evidence(tmp_path, JPEG, Sidecar("1", moment, Reading(())))
    monkeypatch.setattr(evidence, "disk_usage", lambda _folder: FreeSpace(evidence.RESERVE - len(JPEG)))
    newest = keep_evidence(tmp_path, JPEG, Sidecar("1", 5, Reading(())))
    assert 1 < len(pictures_of_match(tmp_path, "1")) < 6
    assert newest.exists()
    monkeypatch.setattr(evidence, "disk_usage", lambda _folder: FreeSpace(0))
    keep_evidence(tmp_path, JPEG, Sidecar("1", 6, Reading(())))
    assert len(pictures_of_match(tmp_path, "1")) == 1


def test_leftovers_of_killed_tables_are_removed_but_no_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        dead = process.pid
    memory, elsewhere = tmp_path / "memory", tmp_path / "elsewhere"
    monkeypatch.setattr(files, "MEMORY", memory)
    (memory / f"{files.PREFIX}left.{dead}" / "deep").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    others = ("coyote", f"{files.PREFIX}unsaved", f"{files.PREFIX}link.{dead}", f"{files.PREFIX}file.{dead}")
    for folder in others[:2]:
        (memory / folder).mkdir()
    (memory / others[2]).symlink_to(elsewhere)
    (memory / others[3]).touch()
    with files.scratch() as held:
        (held / "camera.bmp").touch()
        with files.scratch():
            assert (held / "camera.bmp").exists()
    assert (elsewhere / "kept").exists()
    assert {file.name for file in memory.iterdir()} == set(others)


def test_certificate_is_created_once_and_private(tmp_path: Path) -> None:
    file = own_certificate(tmp_path / "state", ("table.local", "192.0.2.7"))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == [CERTIFICATE]
    assert len(fingerprint(file)) == 32 * 3 - 1
    encryption(file)
    before = file.read_bytes()
    assert own_certificate(tmp_path / "state").read_bytes() == before
    # an unusable one, or one that others can read, is recreated
    for content in (b"", b"garbage", None):
        before = file.read_bytes()
        file.chmod(0o644 if content is None else 0o600)
        file.write_bytes(before if content is None else content)
        assert own_certificate(tmp_path / "state").read_bytes() not in {content, before}
        assert file.stat().st_mode & 0o777 == 0o600


def _read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_certificate_names_this_table_only_and_is_valid_at_any_clock_time(tmp_path: Path) -> None:
    file = own_certificate(tmp_path, ("table.local", "192.0.2.7", "2001:db8::7"))
    made = _read(file)
    assert made.not_valid_before_utc == datetime(1970, 1, 1, tzinfo=UTC)
    assert made.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["table.local"]
    addresses = names.get_values_for_type(x509.IPAddress)
    assert addresses == [ip_address("192.0.2.7"), ip_address("2001:db8::7")]
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    # one that could sign another site is replaced once
    authority = certify(CertificateTerms("Coyote Table", ("table.local",), is_authority=True))
    file.write_bytes(authority.key + authority.certificate)
    first = own_certificate(tmp_path).read_bytes()
    assert not _read(file).extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert own_certificate(tmp_path, ("other.local",)).read_bytes() == first


def test_certificate_library_is_loaded_for_a_new_certificate_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_certificate(tmp_path)
    monkeypatch.setitem(sys.modules, "firmware.storage.certificates", None)
    assert own_certificate(tmp_path) == file
    with pytest.raises(TroubleError) as told:
        own_certificate(tmp_path / "other")
    assert told.value.problem.key == "no certificate"
    assert not (tmp_path / "other").exists()
