"""The simulated table: cards, camera, fingers and bots."""
