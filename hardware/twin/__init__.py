"""The simulated table: the same pins and camera frames as a real one, without a Pi."""
