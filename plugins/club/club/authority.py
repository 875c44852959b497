"""The club's own certificate authority: it certifies the broker and the joining server only."""

import socket
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

from msgspec import Struct

from firmware.integrations.club_joining import full_code
from firmware.storage.certificates import CertificateTerms, certify
from firmware.storage.files import write_private
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
        names = ("localhost", "127.0.0.1", socket.gethostname())
        authority = certify(CertificateTerms("Coyote Club", names, is_authority=True))
        hub = certify(CertificateTerms("Coyote Club Hub", names), authority)
        # the authority's certificate comes last
        for name, made in (("hub", hub), ("authority", authority)):
            write_private(folder / f"{name}.key", made.key)
            write_whole(folder / f"{name}.crt", made.certificate)
    return files
