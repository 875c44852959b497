"""The simulated table: the same pins, the same frames, no Pi."""
