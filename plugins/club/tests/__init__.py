"""Tests of the club's hub, with real brokers and a real PostgreSQL."""
