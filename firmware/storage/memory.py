"""How much memory this computer has, and what the eyes may take of it."""

import os

from vision.table.thrift import PLENTY, SMALL, Thrift

ROOMY = 700_000_000
"""Bytes from which on there is room for whole pictures: a Pi of 1 GB has more, one of 512 MB less."""


def total_memory() -> int:
    """Count the bytes of this computer's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def chosen_thrift(small: bool | None) -> Thrift:
    """Choose what pictures may take: as configured, else by the computer's memory."""
    is_small = total_memory() < ROOMY if small is None else small
    return SMALL if is_small else PLENTY
