"""Request the button from a phone that changes its address: `python -m tests.trust.claims 12` for 12 hours.

Six phones with fixed addresses arrive after half an hour, one every seven seconds. It fails if one of them gets
no turn, or waits longer than its position in the queue explains.
"""

from collections.abc import Iterator

from tests.firmware.services.changing_phones import ATTACKS, STRANGER, longest_wait, turns_under
from tests.scripts import say, script

COMES = {f"phone {number + 1}": 1800 + 7 * number for number in range(6)}


@script
def main(hours: int) -> Iterator[str]:
    for attack in ATTACKS:
        turns = turns_under(attack, COMES, hours * 3600)
        first = [turns.first.get(phone) for phone in COMES]
        say(f"{attack.name} -> {turns.turns[STRANGER] / hours:.1f} turns an hour; first turns after {first} s")
        for place, (phone, wait) in enumerate(zip(COMES, first, strict=True)):
            if wait is None or wait > longest_wait(attack, place):
                yield f"{attack.name}: {phone} waited {wait} s"
