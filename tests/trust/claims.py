"""Request the button from a phone that changes its address: `python -m tests.trust.claims 12` for 12 hours.

Six phones with fixed addresses arrive after half an hour, one every seven seconds. It fails if one of them gets
no turn, or waits longer than its position in the queue explains.
"""

from tests.firmware.services.changing_phones import ATTACKS, STRANGER, longest_wait, turns_under
from tests.trust.telling import finish, say, wishes

COMES = {f"phone {number + 1}": 1800 + 7 * number for number in range(6)}


def main() -> None:
    wish = wishes(__doc__, "hours")
    wrong = []
    for attack in ATTACKS:
        turns = turns_under(attack, COMES, wish.hours * 3600)
        first = [turns.first.get(phone) for phone in COMES]
        share = turns.turns[STRANGER] / wish.hours
        say(f"{attack.name} -> {share:.1f} turns an hour; first turns after {first} s")
        wrong += [
            f"{attack.name}: {phone} waited {wait} s"
            for place, (phone, wait) in enumerate(zip(COMES, first, strict=True))
            if wait is None or wait > longest_wait(attack, place)
        ]
    finish(wrong=wrong)


if __name__ == "__main__":
    main()
