"""The club's own certificate authority: it certifies the broker and the joining server only."""

import socket
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

from msgspec import Struct

from firmware.integrations.club_joining import full_code
from firmware.storage.files import scratch, write_private
from firmware.storage.own_secrets import AUTHORITY, certify
from vision.files import make_folder, write_whole


class ClubCertificate(Struct, frozen=True):
    """The files of a certificate, its key, and the authority's certificate."""

    certificate: Path
    key: Path
    authority: Path

    @property
    def authority_text(self) -> str:
        return self.authority.read_text(encoding="ascii")

    def shown_code(self, secret: str) -> str:
        return full_code(secret, PEM_cert_to_DER_cert(self.certificate.read_text(encoding="ascii")))


def club_certificate(folder: Path) -> ClubCertificate:
    """Return the club's certificate; if there is none, create an authority and certify this machine."""
    files = ClubCertificate(folder / "hub.crt", folder / "hub.key", folder / "authority.crt")
    if not (files.certificate.exists() and files.key.exists() and files.authority.exists()):
        make_folder(folder)
        folder.chmod(0o700)
        _make(folder, f"DNS:localhost,IP:127.0.0.1,DNS:{socket.gethostname()}")
    return files


def _make(folder: Path, names: str) -> None:
    """Create all files as drafts, then move them into place, the authority's certificate last."""
    with scratch() as drafts:
        authority = certify(drafts / "authority", "Coyote Club", (f"{AUTHORITY}, pathlen:0",))
        for_servers = (f"subjectAltName = {names}", "extendedKeyUsage = serverAuth")
        hub = certify(drafts / "hub", "Coyote Club Hub", for_servers, authority)
        for name, made in (("hub", hub), ("authority", authority)):
            write_private(folder / f"{name}.key", made.key.read_bytes())
            write_whole(folder / f"{name}.crt", made.certificate.read_bytes())
