"""The simulated world at work: cards, camera, fingers and bots."""
