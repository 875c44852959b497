"""`coyote bench`: measurements to repeat on any machine."""

from firmware.cli.lazy import LazyGroup
from firmware.language.speaking import _

BENCHES = {
    "bots": "firmware.benches.bots:bots",
    "cameras": "firmware.benches.cameras:cameras",
    "companion": "firmware.benches.companion:companion",
    "cues": "firmware.benches.cues:cues",
    "evening": "firmware.benches.evening:evening",
    "eyes": "firmware.benches.eyes:eyes",
    "film": "firmware.benches.film:film",
    "firmware": "firmware.benches.firmware:firmware",
    "idle": "firmware.benches.idle:idle",
    "phones": "firmware.benches.phones:phones",
    "pieces": "firmware.benches.pieces:pieces",
    "referee": "firmware.benches.referee:referee",
    "rules": "firmware.benches.rules:rules",
    "twin": "firmware.benches.twin:twin",
    "vision": "firmware.benches.vision:vision",
}

bench = LazyGroup(BENCHES, name="bench", help=_("Measure: the figures of each part, on this machine."))
