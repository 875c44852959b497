"""What only this table has: its certificate for HTTPS, and by what the simulated table deals."""

import ssl
import subprocess
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from firmware.state_folder import CERTIFICATE, DEAL
from firmware.storage.files import write_private
from vision.files import read_small
from vision.troubles import TroubleError

LARGEST = 20_000
PATIENCE = 60.0
BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
COMMAND = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
    # a browser that has taken it once is to warn no more
    *("-days", "7300", "-subj", "/CN=Coyote Table", "-keyout", "-", "-out", "-"),
)
BYTES = 32


class CertificateError(TroubleError):
    """Why there is no certificate."""


def own_certificate(state: Path, names: tuple[str, ...] = ()) -> Path:
    """Find the table's certificate with its key; without one that can be used, make it, for these names."""
    file = state / CERTIFICATE
    if not _is_usable(file):
        more = ("-addext", f"subjectAltName={','.join(names)}") if names else ()
        try:
            # neither key nor certificate is on the disk before it is ours alone
            write_private(file, run_openssl(*COMMAND, *more))
        except OSError as error:
            raise CertificateError("no certificate", why=error.strerror or str(error)) from error
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
        is_own = not file.stat().st_mode & 0o077
        # first what looks whether it is a file: a pipe would be waited for
        fingerprint(file)
        encryption(file)
    except (OSError, ValueError):
        return False
    return is_own


def run_openssl(*command: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, check=False, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError as error:
        raise CertificateError("no openssl") from error
    except subprocess.TimeoutExpired as error:
        raise CertificateError("no certificate", why=f"{PATIENCE:.0f} s") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise CertificateError("no certificate", why=said[-1] if said else str(done.returncode))
    return done.stdout


def deal_secret(state: Path) -> bytes:
    """Find the secret, or draw it; one that can't be kept holds until the next start."""
    file = state / DEAL
    with suppress(OSError):
        kept = read_small(file, BYTES)
        if len(kept) == BYTES:
            return kept
    drawn = token_bytes(BYTES)
    with suppress(OSError):
        write_private(file, drawn)
    return drawn
