"""The companion: one loop that puts senses, referee, journal and voices together."""
