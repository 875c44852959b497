"""Create keys and X.509 certificates. The library loads slowly: import this only to create one."""

from collections.abc import Iterator
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

ALWAYS = (datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
"""First and last second of a certificate.

Phones compare them with their clock, and a table's own clock may show any time. The last second of 9999 means
no end (RFC 5280, 4.1.2.5).
"""


class KeyPair(Struct, frozen=True):
    """A key and its certificate in PEM."""

    key: bytes
    certificate: bytes


class CertificateTerms(Struct, frozen=True):
    """The owner of a certificate, and its servers, which an authority may certify but can't be."""

    owner: str
    names: tuple[str, ...] = ()  # host names and addresses
    is_authority: bool = False


def certify(terms: CertificateTerms, signer: KeyPair | None = None) -> KeyPair:
    """Create a key and its certificate, self-signed unless there is a signer."""
    key = ec.generate_private_key(ec.SECP256R1())
    owner = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, terms.owner)])
    issuer, signing = (owner, key) if signer is None else _read_signer(signer)
    builder = x509.CertificateBuilder().issuer_name(issuer).subject_name(owner).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(ALWAYS[0]).not_valid_after(ALWAYS[1])
    for extension, is_critical in _extensions(terms, key, signing):
        builder = builder.add_extension(extension, is_critical)
    return KeyPair(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        builder.sign(signing, SHA256()).public_bytes(Encoding.PEM),
    )


def _read_signer(signer: KeyPair) -> tuple[x509.Name, ec.EllipticCurvePrivateKey]:
    key = load_pem_private_key(signer.key, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError(type(key).__name__)
    return x509.load_pem_x509_certificate(signer.certificate).subject, key


def _extensions(
    terms: CertificateTerms, key: ec.EllipticCurvePrivateKey, signing: ec.EllipticCurvePrivateKey
) -> Iterator[tuple[x509.ExtensionType, bool]]:
    yield x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
    yield x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), False
    yield x509.BasicConstraints(ca=terms.is_authority, path_length=0 if terms.is_authority else None), True
    if terms.is_authority:
        yield _SIGNS_ONLY, True
        yield x509.NameConstraints([_general_name(name, is_range=True) for name in terms.names], None), True
        return
    yield x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False
    if terms.names:
        yield x509.SubjectAlternativeName([_general_name(name) for name in terms.names]), False


def _general_name(name: str, *, is_range: bool = False) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_network(name) if is_range else ip_address(name))
    except ValueError:
        return x509.DNSName(name)


_SIGNS_ONLY = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
