"""The club's own authority: it certifies the broker and the door where tables join, and nothing else."""

import socket
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

from msgspec import Struct

from firmware.outside.club_joining import full_code
from firmware.storage.own_secrets import run_openssl
from vision.files import make_folder

DAYS = "7300"
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class ClubCertificate(Struct, frozen=True):
    """Files: a certificate, its key, and the authority's certificate."""

    certificate: Path
    key: Path
    authority: Path

    @property
    def authority_text(self) -> str:
        return self.authority.read_text(encoding="ascii")

    def shown_code(self, secret: str) -> str:
        return full_code(secret, PEM_cert_to_DER_cert(self.certificate.read_text(encoding="ascii")))


def club_certificate(folder: Path) -> ClubCertificate:
    """Find the club's certificate; without one, make an authority and have it certify this machine."""
    files = ClubCertificate(folder / "hub.crt", folder / "hub.key", folder / "authority.crt")
    if not (files.certificate.exists() and files.key.exists() and files.authority.exists()):
        make_folder(folder)
        folder.chmod(0o700)
        _make(folder, f"DNS:localhost,IP:127.0.0.1,DNS:{socket.gethostname()}")
    return files


def _make(folder: Path, names: str) -> None:
    """Make all of it in drafts, and put it in place whole; the authority's certificate comes last."""
    authority, key, request = folder / "authority.draft", folder / "authority.key", folder / "hub.request"
    extension = folder / "hub.extension"
    extension.write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n", encoding="ascii")
    run_openssl(
        "openssl",
        *("req", "-x509", *CURVE, "-days", DAYS, "-subj", "/CN=Coyote Club"),
        *("-addext", "basicConstraints=critical,CA:TRUE,pathlen:0"),
        *("-keyout", str(key), "-out", str(authority)),
    )
    run_openssl(
        "openssl",
        *("req", "-new", *CURVE, "-subj", "/CN=Coyote Club Hub"),
        *("-keyout", str(folder / "hub.key"), "-out", str(request)),
    )
    run_openssl(
        "openssl",
        *("x509", "-req", "-in", str(request), "-CA", str(authority), "-CAkey", str(key), "-days", DAYS),
        *("-extfile", str(extension), "-CAcreateserial", "-out", str(folder / "hub.crt")),
    )
    for file in (key, folder / "hub.key"):
        file.chmod(0o600)
    authority.replace(folder / "authority.crt")
