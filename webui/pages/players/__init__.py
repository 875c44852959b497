"""What players and onlookers open."""
