"""Read the cards in a picture."""
