"""What tests of hardware share: little memory."""

from tests.hardware.twin.forgetting import forgetful

__all__ = ["forgetful"]
