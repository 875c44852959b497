"""How well bots play."""

from typing import Literal, get_args

Strength = Literal["beginner", "plain", "strong"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
"""The weakest first. All bots know what their seat may know, and nothing else."""
