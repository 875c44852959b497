"""The companion: one thread and one queue, between senses, referee, journal, eyes and voices."""
