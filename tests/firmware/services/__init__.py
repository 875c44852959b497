"""Tests of the services for the pages."""
