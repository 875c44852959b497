"""Updates, with small releases that are signed by throw-away keys."""
