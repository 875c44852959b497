"""Output matches the snapshots. After an intended change they are rewritten, and their diff is reviewed."""

from difflib import unified_diff

from tests.firmware.integrations.house_broker import MOSQUITTO
from tests.snapshots.evening import OUTSIDE
from tests.snapshots.keeping import stored_snapshots, take_snapshots
from tests.tiers import slow

MOST_LINES = 60


@slow("plays an evening of five games at the real program: all pages, events and commands")
def test_output_matches_snapshots() -> None:
    kept, seen = stored_snapshots(), take_snapshots()
    # slow listeners miss moments, and there may be no broker, so compare only received events
    for name in [name for name in kept if name.startswith(OUTSIDE)]:
        assert name in seen or MOSQUITTO is None
        told = set(seen.pop(name, "").splitlines()) - set(kept.pop(name).splitlines())
        assert not told, f"{name} has other lines: {sorted(told)[:3]}"
    if MOSQUITTO is None:
        # the page of stored data shows whether there is a broker
        for name in [name for name in kept if name.endswith("/host-privacy.txt")]:
            del kept[name], seen[name]
    changed = [name for name in sorted(kept.keys() | seen.keys()) if kept.get(name) != seen.get(name)]
    lines = [line for name in changed for line in _difference(name, kept.get(name, ""), seen.get(name, ""))]
    told = "\n".join(lines[:MOST_LINES])
    assert not changed, f"if it should be so, write it with `python -m tests.snapshots`: {changed}\n{told}"


def _difference(name: str, kept: str, seen: str) -> list[str]:
    return list(unified_diff(kept.splitlines(), seen.splitlines(), f"kept/{name}", name, lineterm="", n=1))
