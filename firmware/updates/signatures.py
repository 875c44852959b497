"""A release is a tag that says so, signed with SSH by a key in `.ci/release-keys` of the version that runs."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.updates.tools import UpdateError, run_tool

KEYS = ".ci/release-keys"
SIGNER = "coyote-table"
"""Whose keys count in it."""
SEAL = b"-----BEGIN SSH SIGNATURE-----"
STATEMENT = "This is a release of Coyote Table."
"""The line by which a signed tag is a release: `.ci/release` writes it, other tags of the key have none."""


@dataclass(frozen=True)
class SignedTag:
    """A tag as git keeps it: what it says, and the signature of that."""

    said: bytes
    seal: bytes

    def is_release(self, name: str, commit: str) -> bool:
        """Tell whether it makes this commit the release of this name, and isn't another one's, renamed."""
        head, _blank, text = self.said.decode(errors="replace").partition("\n\n")
        fields = {f"object {commit}", "type commit", f"tag {name}"}
        return fields <= set(head.split("\n")) and STATEMENT in text.split("\n")


def parse_tag(content: bytes) -> SignedTag:
    """Part a tag from its signature."""
    said, seal, rest = content.partition(SEAL)
    return SignedTag(said, seal + rest)


def check_signature(tag: SignedTag, keys: Path) -> bool:
    """Tell whether one of the keys has signed a tag, as a tag."""
    with TemporaryDirectory() as folder:
        seal = Path(folder, "seal")
        seal.write_bytes(tag.seal)
        command = ("ssh-keygen", "-Y", "verify", "-f", str(keys), "-I", SIGNER, "-n", "git", "-s", str(seal))
        try:
            run_tool(*command, given=tag.said)
        except UpdateError as error:
            if "is missing" in str(error):
                raise
            return False
        return True


def has_keys(keys: Path) -> bool:
    """Tell whether there is a key at all."""
    try:
        lines = keys.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return any(line.startswith(f"{SIGNER} ") for line in lines)
