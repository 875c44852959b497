"""Seats in the order in which they act."""


def seats_after(seat: int, count: int) -> tuple[int, ...]:
    """List all other seats, clockwise from the next one."""
    return tuple([(seat + step) % count for step in range(1, count)])
