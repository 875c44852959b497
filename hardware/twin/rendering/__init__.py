"""What the camera over a simulated table sees."""
