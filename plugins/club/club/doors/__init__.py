"""What the club's pages ask of the hub: read from its database, and written there."""
