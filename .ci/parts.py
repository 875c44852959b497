"""Print a bill of materials in CycloneDX format: each package of a lock, with version, hashes and licence.

Run `parts.py LOCK` in an environment with the packages; licences come from their metadata.
"""

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;]+)")


def parts_list(lock: str) -> dict[str, Any]:
    lines = lock.replace("\\\n", " ").splitlines()
    parts = [part(found, line) for line in lines if (found := PINNED.match(line))]
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": parts}


def part(found: re.Match[str], line: str) -> dict[str, Any]:
    name, version = found["name"], found["version"]
    hashes = [{"alg": "SHA-256", "content": each} for each in re.findall(r"sha256:(\w+)", line)]
    page = {"type": "distribution", "url": f"https://pypi.org/project/{name}/{version}/", "hashes": hashes}
    of = {"type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}"}
    licence = licence_of(name)
    licences = {"licenses": [{"license": {"name": licence}}]} if licence else {}
    return {**of, **licences, "externalReferences": [page]}


def licence_of(name: str) -> str:
    """Return a package's licence from its metadata; empty if it isn't installed on this system."""
    try:
        told = distribution(name).metadata
    except PackageNotFoundError:
        return ""
    kinds = (line.rpartition(" :: ")[2] for line in told.get_all("Classifier", []) if "License ::" in line)
    [expression], [text] = (told.get_all(key, [""])[:1] for key in ("License-Expression", "License"))
    return expression or " and ".join(kinds) or text.partition("\n")[0]


if __name__ == "__main__":
    json.dump(parts_list(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.stdout, indent=1)
