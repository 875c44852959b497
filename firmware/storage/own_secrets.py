"""Secrets of this table: its HTTPS certificate, and the seed of the simulated table's deals."""

import ssl
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from firmware.state_folder import CERTIFICATE, DEAL
from firmware.storage.files import write_private
from vision.files import read_small
from vision.troubles import TroubleError

LARGEST = 20_000
BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
BYTES = 32


def own_certificate(state: Path, names: tuple[str, ...] = ()) -> Path:
    """Return the table's certificate file with its key; create one for `names` if there is no valid one."""
    file = state / CERTIFICATE
    if not _is_usable(file):
        try:
            # loads slowly, and only the first start needs it
            from firmware.storage.certificates import CertificateTerms, certify  # noqa: PLC0415

            made = certify(CertificateTerms("Coyote Table", names))
            # key and certificate are private from the moment they are in the state's folder
            write_private(file, made.key + made.certificate)
        except OSError as error:
            raise TroubleError("no certificate", why=error.strerror or str(error)) from error
        except Exception as error:  # a missing or broken library only costs the encrypted pages
            raise TroubleError("no certificate", why=str(error)) from error
    return file


def encryption(file: Path, key: Path | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(file, key)
    return context


def fingerprint(file: Path) -> str:
    text = read_small(file, LARGEST).decode("ascii", errors="replace")
    shown = text[text.index(BEGIN) : text.index(END) + len(END)]
    return sha256(ssl.PEM_cert_to_DER_cert(shown)).digest().hex(":").upper()


def _is_usable(file: Path) -> bool:
    try:
        # this checks first whether it is a regular file; opening a pipe would block
        fingerprint(file)
        context = encryption(file)
        context.load_verify_locations(file)
        # one from before 1.0.0 is an authority: a phone that trusts it trusts its key for every site
        return not context.cert_store_stats()["x509_ca"] and not file.stat().st_mode & 0o077
    except (OSError, ValueError):
        return False


def deal_secret(state: Path) -> bytes:
    """Return the secret, or create it; if it can't be stored, it is valid until the next start."""
    file = state / DEAL
    with suppress(OSError):
        kept = read_small(file, BYTES)
        if len(kept) == BYTES:
            return kept
    drawn = token_bytes(BYTES)
    with suppress(OSError):
        write_private(file, drawn)
    return drawn
