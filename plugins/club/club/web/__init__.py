"""The club's pages: the screen of all tables, the director's phone, people and history."""
