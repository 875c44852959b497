"""The server: the app, connections, events."""
