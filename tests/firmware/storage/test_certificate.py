"""The table's own certificate: made once, its owner's alone, and made anew where it can't be used."""

import os
import shutil
from pathlib import Path

import pytest

from firmware.state_folder import CERTIFICATE
from firmware.storage.certificate import CertificateError, encryption, fingerprint, own_certificate

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't installed")


@needs_openssl
def test_it_is_made_once_and_its_owners_alone(tmp_path: Path) -> None:
    file = own_certificate(tmp_path / "state", ("DNS:table.local",))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == [CERTIFICATE]
    assert len(fingerprint(file)) == 32 * 3 - 1
    encryption(file)
    before = file.read_bytes()
    assert own_certificate(tmp_path / "state").read_bytes() == before


@needs_openssl
def test_a_pipe_in_its_place_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / CERTIFICATE)
    assert own_certificate(tmp_path).is_file()


@needs_openssl
@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_one_that_cannot_be_used_or_that_others_can_read_is_made_anew(
    tmp_path: Path, content: bytes | None
) -> None:
    file = own_certificate(tmp_path)
    before = file.read_bytes()
    if content is None:
        file.chmod(0o644)
    else:
        file.write_bytes(content)
    assert own_certificate(tmp_path).read_bytes() not in {content, before}
    assert file.stat().st_mode & 0o777 == 0o600


def test_without_openssl_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CertificateError) as told:
        own_certificate(tmp_path / "state")
    assert told.value.problem.key == "no openssl"
    assert not (tmp_path / "state").exists()


@needs_openssl
def test_what_hinders_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(CertificateError) as told:
        own_certificate(tmp_path, ("nonsense",))
    assert told.value.problem.key == "no certificate"
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError):
        own_certificate(tmp_path / "file")
