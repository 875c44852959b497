"""Third-party games, installed like users install them."""
