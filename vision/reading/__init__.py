"""Reading: from a picture to the cards in it."""
