"""Secrets of this table: its HTTPS certificate, and the seed of the simulated table's deals."""

import ssl
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from time import time

from msgspec import Struct

from firmware.state_folder import CERTIFICATE, DEAL
from firmware.storage.files import scratch, write_private
from vision.files import read_small
from vision.troubles import TroubleError

LARGEST = 20_000
OPENSSL_TIMEOUT = 60.0
BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
ALWAYS = ("19700101000000Z", "99991231235959Z")
"""First and last second of a certificate.

Phones compare them with their clock, and a table's own clock may show any time. The last second of 9999 means
no end (RFC 5280, 4.1.2.5).
"""
AUTHORITY = "basicConstraints = critical, CA:TRUE"
CONFIGURATION, REQUEST, KEY, CERTIFIED = "configuration", "request", "key", "certificate"
CONFIGURED = """
[req]
distinguished_name = any
[ca]
default_ca = own
[own]
database = made
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectKeyIdentifier = hash
"""
BYTES = 32


class CertificateError(TroubleError):
    """Why there is no certificate."""


class KeyPair(Struct, frozen=True):
    """The files of a key and its certificate."""

    key: Path
    certificate: Path


def own_certificate(state: Path, names: tuple[str, ...] = ()) -> Path:
    """Return the table's certificate file with its key; create one for `names` if there is no valid one."""
    file = state / CERTIFICATE
    if not _is_usable(file):
        more = (f"subjectAltName = {','.join(names)}",) if names else ()
        try:
            with scratch() as folder:
                made = certify(folder / "own", "Coyote Table", (AUTHORITY, *more))
                # key and certificate are private from the moment they are in the state's folder
                write_private(file, made.key.read_bytes() + made.certificate.read_bytes())
        except OSError as error:
            raise CertificateError("no certificate", why=error.strerror or str(error)) from error
    return file


def certify(folder: Path, name: str, extensions: Iterable[str], signer: KeyPair | None = None) -> KeyPair:
    """Create a key and its certificate in a new folder, self-signed unless there is a signer.

    All versions of `openssl ca` accept dates; `openssl req` and `openssl x509` do only from 3.4 on. Before,
    they use the machine's clock.
    """
    folder.mkdir(mode=0o700)
    (folder / CONFIGURATION).write_text("\n".join((CONFIGURED, *extensions, "")), encoding="ascii")
    (folder / "made").touch()
    made = KeyPair(folder / KEY, folder / CERTIFIED)
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl(folder, "req", "-new", *new_key, "-subj", f"/CN={name}", "-keyout", KEY, "-out", REQUEST)
    by = ("-selfsign",) if signer is None else ("-cert", str(signer.certificate))
    signed = (*by, "-keyfile", str((signer or made).key), "-in", REQUEST, "-out", CERTIFIED)
    _openssl(folder, "ca", "-batch", "-notext", "-startdate", ALWAYS[0], "-enddate", ALWAYS[1], *signed)
    return made


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
        # this checks first whether it is a regular file; opening a pipe would block
        fingerprint(file)
        encryption(file)
        return is_own and not _is_over(file)
    except (OSError, ValueError):
        return False


def _is_over(file: Path) -> bool:
    """Return whether a certificate has expired; earlier versions' certificates are valid for 20 years."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(file)
    ends = (ssl.cert_time_to_seconds(str(each["notAfter"])) for each in context.get_ca_certs())
    return any(end < time() for end in ends)


def _openssl(folder: Path, *command: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            ("openssl", *command, "-config", CONFIGURATION),  # noqa: S607 - found on the system's path
            capture_output=True,
            check=False,
            timeout=OPENSSL_TIMEOUT,
            stdin=subprocess.DEVNULL,
            cwd=folder,
        )
    except FileNotFoundError as error:
        raise CertificateError("no openssl") from error
    except subprocess.TimeoutExpired as error:
        raise CertificateError("no certificate", why=f"{OPENSSL_TIMEOUT:.0f} s") from error
    if done.returncode != 0:
        errors = done.stderr.decode(errors="replace").strip().splitlines()
        raise CertificateError("no certificate", why=errors[-1] if errors else str(done.returncode))


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
